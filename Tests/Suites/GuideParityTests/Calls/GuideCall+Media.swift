import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let media = [
    GuideCall("media.StartUpload") {
      try await $0.media.startUpload(userId: user, fileName: "a.png", fileSize: 10, contentType: "image/png")
    },
    GuideCall("media.UpdateUploadProgress") {
      try await $0.media.updateUploadProgress(uploadId: "upload-1", uploadedSize: 5)
    },
    GuideCall("media.CompleteUpload") {
      try await $0.media.completeUpload(uploadId: "upload-1", sha256: "00")
    },
    GuideCall("media.GetUpload") { try await $0.media.getUpload(uploadId: "upload-1") },
    GuideCall("media.CreateVideo") {
      try await $0.media.createVideo(creatorId: user, title: "A walk")
    },
    GuideCall("media.GetVideo") { try await $0.media.getVideo(videoId: "video-1") },
    GuideCall("media.GetUserVideos", command: "videos mock-user-id") { try await $0.media.getUserVideos(userId: user) },
    GuideCall("media.CreateReel") {
      try await $0.media.createReel(creatorId: user, uploadId: "upload-1")
    },
    GuideCall("media.GetReel") { try await $0.media.getReel(reelId: "reel-1") },
    GuideCall("media.ListReels", command: "reels") { try await $0.media.listReels() },
  ]

  static let capture = [
    GuideCall("capture.CreateSomething", command: "capture Rain.") { try await $0.capture.create(text: "Rain.") },
    GuideCall("capture.ListSomethings", command: "capture list") { try await $0.capture.list() },
    GuideCall("capture.ListSomethings") { for try await _ in $0.capture.all() {} },
    GuideCall("capture.GetSomething", command: "capture show 1") { try await $0.capture.get(id: 1) },
    GuideCall("capture.UpdateMeaning", command: "capture meaning 1 Calm") {
      try await $0.capture.updateMeaning(id: 1, meaning: "Calm")
    },
    GuideCall("capture.DeleteSomething", command: "capture delete 1 --yes") { try await $0.capture.delete(id: 1) },
  ]

  static let analytics = [
    GuideCall("analytics.RecordEvents") {
      try await $0.analytics.recordEvents(RecordEventsRequest(events: [AnalyticsEvent(id: "event-1")]))
    }
  ]

  static let events = [
    GuideCall("event.StreamEvents") {
      try await $0.events.streamEvents(StreamEventsRequest(topics: ["user:mock-user-id"]))
    },
    GuideCall("event.ListEvents") {
      try await $0.events.listEvents(ListEventsRequest(topics: ["user:mock-user-id"]))
    },
  ]

  static let announcements = [
    GuideCall("announcements.ListAnnouncements", command: "pets") { try await $0.announcements.list() },
    GuideCall("announcements.GetAnnouncement", command: "pet pet-1") {
      try await $0.announcements.detail(id: "pet-1")
    },
  ]
}
