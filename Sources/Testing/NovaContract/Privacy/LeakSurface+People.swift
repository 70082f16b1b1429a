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
  /// Profiles, settings and lists.
  static let people: [LeakSurface] = [
    LeakSurface(UserRPC.getUserProfile, [.email, .profile, .profileBySettings], answer: .leftOut) {
      [LeakQuestion(GetUserProfileRequest(userId: $0.owner), about: $0.thing)]
    },
    LeakSurface(UserRPC.getUserProfilesByIds, [.email, .profile], answer: .leftOut) {
      [LeakQuestion(GetUserProfilesByIdsRequest(userIds: [$0.owner]), about: $0.thing)]
    },
    LeakSurface(UserRPC.searchUsers, [.email, .profile], answer: .leftOut) {
      let byName = LeakQuestion(SearchUsersRequest(query: $0.world.alice.username, limit: 5), about: $0.thing)
      guard $0.thing == .profile, let text = $0.world.text(of: .profile) else { return [byName] }
      return [
        byName,
        LeakQuestion(
          SearchUsersRequest(query: text, limit: 5), detail: ", searched by its text",
          signs: [.profile: [.value($0.owner)]], verb: "searches"),
      ]
    },
    LeakSurface(UserRPC.updateUserProfile, [.email], answer: .refused, needsUser: true) {
      [LeakQuestion(UpdateUserProfileRequest(userId: $0.owner), about: .email)]
    },
    LeakSurface(AuthRPC.getUser, [.email], answer: .leftOut) {
      [LeakQuestion(GetUserRequest(userId: $0.owner), about: .email)]
    },
    LeakSurface(UserRPC.getUserSettings, [.settings], answer: .refused) {
      [LeakQuestion(GetUserSettingsRequest(userId: $0.owner), about: .settings, .field("settings"))]
    },
    LeakSurface(UserRPC.updateUserSettings, [.settings], answer: .refused, needsUser: true) {
      [LeakQuestion(UpdateUserSettingsRequest(userId: $0.owner), about: .settings, .field("settings"))]
    },
    LeakSurface(ContentRPC.getUserBookmarks, [.bookmarks], answer: .refused) {
      [LeakQuestion(GetUserBookmarksRequest(userId: $0.owner), about: .bookmarks, .field("posts"), .field("total"))]
    },
    LeakSurface(GraphRPC.getFollowers, [.followers], answer: .refused) {
      [LeakQuestion(GetFollowersRequest(userId: $0.owner), about: .followers, .field("user_ids"))]
    },
    LeakSurface(GraphRPC.getFollowing, [.following], answer: .refused) {
      [LeakQuestion(GetFollowingRequest(userId: $0.owner), about: .following, .field("user_ids"))]
    },
    LeakSurface(SocialRPC.getUserLikedPosts, [.likedPosts], answer: .refused) {
      [LeakQuestion(GetUserLikedPostsRequest(userId: $0.owner), about: .likedPosts, .field("post_ids"))]
    },
  ]

  /// Captures and uploads.
  static let files: [LeakSurface] = [
    LeakSurface(CaptureRPC.getSomething, [.capture], answer: .refused) { context in
      (context.world.capture.map { [LeakQuestion(GetSomethingRequest(id: $0), about: .capture, .value("\($0)"))] })
        ?? []
    },
    LeakSurface(CaptureRPC.listSomethings, [.capture], answer: .leftOut) { context in
      (context.world.capture.map { [LeakQuestion(ListSomethingsRequest(limit: 100), about: .capture, .value("\($0)"))] })
        ?? []
    },
    LeakSurface(CaptureRPC.updateMeaning, [.capture], answer: .refused, needsUser: true) { context in
      (context.world.capture.map {
        [LeakQuestion(UpdateMeaningRequest(id: $0, meaning: "A check."), about: .capture, .value("\($0)"))]
      }) ?? []
    },
    LeakSurface(MediaRPC.getUpload, [.upload], answer: .refused) {
      [
        LeakQuestion(
          GetUploadRequest(uploadId: $0.world.upload?.id ?? ""), about: .upload, .field("found"), .field("upload"))
      ]
    },
    LeakSurface(MediaRPC.updateUploadProgress, [.upload], answer: .refused, needsUser: true) {
      let upload = $0.world.upload
      let request = UpdateUploadProgressRequest(
        uploadId: upload?.id ?? "", uploadedSize: Int64(upload?.bytes.count ?? 0))
      return [LeakQuestion(request, about: .upload, .field("upload"))]
    },
    LeakSurface(MediaRPC.completeUpload, [.upload], answer: .refused, needsUser: true) {
      let upload = $0.world.upload
      let request = CompleteUploadRequest(uploadId: upload?.id ?? "", sha256: upload?.digest ?? "")
      return [LeakQuestion(request, about: .upload, .field("upload"))]
    },
    LeakSurface(MediaRPC.getVideo, [.video], answer: .absent("found:false")) {
      [LeakQuestion(GetVideoRequest(videoId: $0.world.video), about: .video, .field("found"), .field("video"))]
    },
    LeakSurface(MediaRPC.getUserVideos, [.video], answer: .withheld) {
      [LeakQuestion(GetUserVideosRequest(userId: $0.owner, limit: 100), about: .video, .value($0.world.video))]
    },
    LeakSurface(MediaRPC.getReel, [.reel], answer: .absent("found:false")) {
      [LeakQuestion(GetReelRequest(reelId: $0.world.reel), about: .reel, .field("found"), .field("reel"))]
    },
    LeakSurface(MediaRPC.listReels, [.reel], answer: .leftOut) {
      [LeakQuestion(ListReelsRequest(limit: 100), about: .reel, .value($0.world.reel))]
    },
    LeakSurface(MediaRPC.createVideo, [.upload], answer: .refused, needsUser: true) {
      let request = CreateVideoRequest(
        creatorId: $0.readerID, title: "nova-contract", visibility: "private", uploadId: $0.world.upload?.id ?? "")
      return [LeakQuestion(request, about: .upload, .field("video"), verb: "makes a video of")]
    },
    LeakSurface(MediaRPC.createReel, [.upload], answer: .refused, needsUser: true) {
      let request = CreateReelRequest(
        creatorId: $0.readerID, uploadId: $0.world.upload?.id ?? "", caption: "nova-contract", durationSeconds: 1,
        visibility: "private")
      return [LeakQuestion(request, about: .upload, .field("reel"), verb: "makes a reel of")]
    },
  ]

  /// What an accepted question leaves on the server, by RPC.
  static let leftovers = ["media.CreateVideo": "video", "media.CreateReel": "reel"]

  /// The RPCs without a row, and why they show nothing that others may not see.
  static let withoutRow: [String: String] = {
    let groups: [(reason: String, rpcs: [String])] = [
      (
        "a write whose answer has no data of others",
        [
          "graph.CreateFollow", "graph.DeleteFollow", "graph.CreateMute", "graph.DeleteMute", "graph.CreateBlock",
          "graph.DeleteBlock", "content.CreatePost", "content.DeletePost", "content.DeleteBookmark",
          "social.DeleteComment", "media.StartUpload", "feed.InvalidateFeedCache", "capture.CreateSomething",
          "capture.DeleteSomething", "analytics.RecordEvents", "auth.Logout",
        ]
      ),
      ("only the author may change a comment, and has its text", ["social.UpdateComment"]),
      (
        "the contract has no rule for who sees a single relation",
        [
          "graph.IsFollowing", "graph.BatchCheckFollowing", "graph.IsMuted", "graph.IsBlocked",
          "user.CheckUserRelationship",
        ]
      ),
      ("it ranks what the caller sends", ["feed.RankPosts"]),
      ("its answer has only fields that everybody sees", ["feed.GetRecommendedCreators"]),
      ("the request has the secret that proves who calls", ["auth.Register", "auth.Login", "auth.Refresh"]),
      ("the request has the token that it is about", ["auth.VerifyToken"]),
      ("announcements are public", ["announcements.ListAnnouncements", "announcements.GetAnnouncement"]),
    ]
    return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.rpcs.map { ($0, group.reason) } })
  }()
}
