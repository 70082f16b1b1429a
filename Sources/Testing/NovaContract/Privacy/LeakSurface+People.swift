import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

// The rows for what belongs to one user, and for private accounts.

extension LeakSurface {
  static let ofUsers = people + files

  /// Profiles, settings and lists.
  private static let people: [LeakSurface] = [
    LeakSurface(UserRPC.getUserProfile, [.email, .profile, .profileBySettings], answer: .leftOut, shownBy: []) {
      .init(userId: $0.owner)
    },
    LeakSurface(UserRPC.getUserProfilesByIds, [.email, .profile], answer: .leftOut, shownBy: []) {
      .init(userIds: [$0.owner])
    },
    LeakSurface(UserRPC.searchUsers, [.email, .profile], answer: .leftOut) { context in
      let byName = SearchUsersRequest(query: context.world.alice.username, limit: 5)
      let named = LeakQuestion(byName, signs: [context.thing: []])
      guard context.thing == .profile, let text = context.world.text(of: .profile) else { return [named] }
      return [
        named,
        LeakQuestion(
          SearchUsersRequest(query: text, limit: 5), detail: ", searched by its text",
          signs: [.profile: [.value(context.owner)]], verb: "searches"),
      ]
    },
    LeakSurface(UserRPC.updateUserProfile, [.email], answer: .refused, needsUser: true, shownBy: []) {
      .init(userId: $0.owner)
    },
    LeakSurface(AuthRPC.getUser, [.email], answer: .leftOut, shownBy: []) { .init(userId: $0.owner) },
    LeakSurface(UserRPC.getUserSettings, [.settings], answer: .refused, shownBy: ["settings"]) {
      .init(userId: $0.owner)
    },
    LeakSurface(UserRPC.updateUserSettings, [.settings], answer: .refused, needsUser: true, shownBy: ["settings"]) {
      .init(userId: $0.owner)
    },
    LeakSurface(ContentRPC.getUserBookmarks, [.bookmarks], answer: .refused, shownBy: ["posts", "total"]) {
      .init(userId: $0.owner)
    },
    LeakSurface(GraphRPC.getFollowers, [.followers], answer: .refused, shownBy: ["user_ids"]) {
      .init(userId: $0.owner)
    },
    LeakSurface(GraphRPC.getFollowing, [.following], answer: .refused, shownBy: ["user_ids"]) {
      .init(userId: $0.owner)
    },
    LeakSurface(SocialRPC.getUserLikedPosts, [.likedPosts], answer: .refused, shownBy: ["post_ids"]) {
      .init(userId: $0.owner)
    },
  ]

  /// Captures and uploads.
  private static let files: [LeakSurface] = [
    LeakSurface(CaptureRPC.getSomething, [.capture], answer: .refused, shownBy: \.captureID) { .init(id: $0.capture) },
    LeakSurface(CaptureRPC.listSomethings, [.capture], answer: .leftOut, shownBy: \.captureID) { _ in
      .init(limit: 100)
    },
    LeakSurface(CaptureRPC.updateMeaning, [.capture], answer: .refused, needsUser: true, shownBy: \.captureID) {
      .init(id: $0.capture, meaning: "A check.")
    },
    LeakSurface(MediaRPC.getUpload, [.upload], answer: .refused, shownBy: ["found", "upload"]) {
      .init(uploadId: $0.upload.id)
    },
    LeakSurface(MediaRPC.updateUploadProgress, [.upload], answer: .refused, needsUser: true, shownBy: ["upload"]) {
      .init(uploadId: $0.upload.id, uploadedSize: Int64($0.upload.bytes.count))
    },
    LeakSurface(MediaRPC.completeUpload, [.upload], answer: .refused, needsUser: true, shownBy: ["upload"]) {
      .init(uploadId: $0.upload.id, sha256: $0.upload.digest)
    },
    LeakSurface(MediaRPC.getVideo, [.video], answer: .absent("found:false"), shownBy: ["found", "video"]) {
      .init(videoId: $0.world.video)
    },
    LeakSurface(MediaRPC.getUserVideos, [.video], answer: .withheld, shownBy: \.world.video) {
      .init(userId: $0.owner, limit: 100)
    },
    LeakSurface(MediaRPC.getReel, [.reel], answer: .absent("found:false"), shownBy: ["found", "reel"]) {
      .init(reelId: $0.world.reel)
    },
    LeakSurface(MediaRPC.listReels, [.reel], answer: .leftOut, shownBy: \.world.reel) { _ in .init(limit: 100) },
    LeakSurface(
      MediaRPC.createVideo, [.upload], answer: .refused, needsUser: true, shownBy: ["video"], verb: "makes a video of"
    ) {
      .init(creatorId: $0.readerID, title: "nova-contract", visibility: "private", uploadId: $0.upload.id)
    },
    LeakSurface(
      MediaRPC.createReel, [.upload], answer: .refused, needsUser: true, shownBy: ["reel"], verb: "makes a reel of"
    ) {
      .init(
        creatorId: $0.readerID, uploadId: $0.upload.id, caption: "nova-contract", durationSeconds: 1,
        visibility: "private")
    },
  ]

  /// What an accepted question leaves on the server, by RPC.
  static let leftovers = ["media.CreateVideo": "video", "media.CreateReel": "reel"]
}
