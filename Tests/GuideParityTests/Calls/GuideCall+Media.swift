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
    GuideCall("capture.CreateSomething") {
      try await $0.capture.createSomething(CreateSomethingRequest(content: "Rain.", contentType: "text"))
    },
    GuideCall("capture.ListSomethings") { try await $0.capture.listSomethings(ListSomethingsRequest()) },
    GuideCall("capture.GetSomething") { try await $0.capture.getSomething(GetSomethingRequest(id: 1)) },
    GuideCall("capture.UpdateMeaning") {
      try await $0.capture.updateMeaning(UpdateMeaningRequest(id: 1, meaning: "Calm"))
    },
    GuideCall("capture.DeleteSomething") { try await $0.capture.deleteSomething(DeleteSomethingRequest(id: 1)) },
  ]

  static let announcements = [
    GuideCall("announcements.ListAnnouncements") {
      try await $0.announcements.listAnnouncements(ListAnnouncementsRequest())
    },
    GuideCall("announcements.GetAnnouncement") {
      try await $0.announcements.getAnnouncement(GetAnnouncementRequest(id: "1"))
    },
  ]
}
