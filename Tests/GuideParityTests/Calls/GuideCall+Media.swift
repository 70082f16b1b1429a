import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let media = [
    GuideCall("media.StartUpload") {
      try await $0.media.startUpload(StartUploadRequest(userId: user, fileName: "a.png", fileSize: 10))
    },
    GuideCall("media.UpdateUploadProgress") {
      try await $0.media.updateUploadProgress(UpdateUploadProgressRequest(uploadId: "upload-1", uploadedSize: 5))
    },
    GuideCall("media.CompleteUpload") {
      try await $0.media.completeUpload(CompleteUploadRequest(uploadId: "upload-1", sha256: "00"))
    },
    GuideCall("media.GetUpload") { try await $0.media.getUpload(GetUploadRequest(uploadId: "upload-1")) },
    GuideCall("media.CreateVideo") {
      try await $0.media.createVideo(CreateVideoRequest(creatorId: user, title: "A walk"))
    },
    GuideCall("media.GetVideo") { try await $0.media.getVideo(GetVideoRequest(videoId: "video-1")) },
    GuideCall("media.GetUserVideos") { try await $0.media.getUserVideos(GetUserVideosRequest(userId: user)) },
    GuideCall("media.CreateReel") {
      try await $0.media.createReel(CreateReelRequest(creatorId: user, uploadId: "upload-1"))
    },
    GuideCall("media.GetReel") { try await $0.media.getReel(GetReelRequest(reelId: "reel-1")) },
    GuideCall("media.ListReels") { try await $0.media.listReels(ListReelsRequest()) },
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
