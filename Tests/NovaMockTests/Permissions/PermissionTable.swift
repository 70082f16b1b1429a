import NovaCore

/// A call, and who may make it.
struct PermissionRow: Sendable {
  let rpc: String
  /// The request as JSON. `$actor` and so on stand for ids, see ``PermissionWorld``.
  let request: String
  let rule: PermissionRule

  init(_ rpc: String, _ request: String, _ rule: PermissionRule) {
    (self.rpc, self.request, self.rule) = (rpc, request, rule)
  }
}

/// Every permission rule of the contract, and the mock's own: it requires no token, but with a token, callers cannot
/// act as another user.
///
/// Every RPC has a row. Reads are open, except for settings and data of the token's user.
enum PermissionTable {
  static let rows = graph + social + content + media + users + auth + feed + capture + announcements

  private static let graph = [
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$actor","followee_id":"$stranger"}"#, .only(.actor)),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$actor","followee_id":"$blocked"}"#, .denied),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$blocked","followee_id":"$actor"}"#, .denied),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$author","followee_id":"$private"}"#, .only(.author)),
    PermissionRow("graph.DeleteFollow", #"{"follower_id":"$actor","followee_id":"$friend"}"#, .only(.actor)),
    PermissionRow("graph.GetFollowers", #"{"user_id":"$private"}"#, .open),
    PermissionRow("graph.GetFollowing", #"{"user_id":"$private"}"#, .open),
    PermissionRow("graph.IsFollowing", #"{"follower_id":"$actor","followee_id":"$friend"}"#, .open),
    PermissionRow("graph.BatchCheckFollowing", #"{"follower_id":"$actor","followee_ids":["$friend"]}"#, .open),
    PermissionRow("graph.CreateMute", #"{"muter_id":"$actor","mutee_id":"$stranger"}"#, .only(.actor)),
    PermissionRow("graph.DeleteMute", #"{"muter_id":"$actor","mutee_id":"$author"}"#, .only(.actor)),
    PermissionRow("graph.DeleteMute", #"{"muter_id":"$author","mutee_id":"$actor"}"#, .only(.author)),
    PermissionRow("graph.IsMuted", #"{"muter_id":"$actor","mutee_id":"$author"}"#, .open),
    PermissionRow("graph.CreateBlock", #"{"blocker_id":"$actor","blocked_id":"$stranger"}"#, .only(.actor)),
    PermissionRow("graph.DeleteBlock", #"{"blocker_id":"$actor","blocked_id":"$blocked"}"#, .only(.actor)),
    PermissionRow("graph.IsBlocked", #"{"blocker_id":"$actor","blocked_id":"$blocked"}"#, .open),
  ]

  private static let social = [
    PermissionRow("social.CreateLike", #"{"user_id":"$actor","post_id":"$post"}"#, .only(.actor)),
    PermissionRow("social.DeleteLike", #"{"user_id":"$actor","post_id":"$post"}"#, .only(.actor)),
    PermissionRow("social.GetPostLikes", #"{"post_id":"$post"}"#, .open),
    PermissionRow("social.GetLikeCount", #"{"post_id":"$post"}"#, .open),
    PermissionRow("social.CheckUserLiked", #"{"user_id":"$actor","post_id":"$post"}"#, .open),
    PermissionRow("social.BatchCheckUserLiked", #"{"user_id":"$actor","post_ids":["$post"]}"#, .open),
    PermissionRow("social.GetUserLikedPosts", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("social.CreateComment", #"{"post_id":"$post","user_id":"$actor","content":"c"}"#, .only(.actor)),
    PermissionRow("social.CreateComment", #"{"post_id":"$post","user_id":"$blocked","content":"c"}"#, .only(.blocked)),
    PermissionRow(
      "social.UpdateComment", #"{"comment_id":"$comment","user_id":"$actor","content":"d"}"#, .only(.actor)),
    PermissionRow("social.UpdateComment", #"{"comment_id":"$comment","user_id":"$author","content":"d"}"#, .denied),
    PermissionRow("social.UpdateComment", #"{"comment_id":"$comment","user_id":"$stranger","content":"d"}"#, .denied),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$actor"}"#, .only(.actor)),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$author"}"#, .only(.author)),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$friend"}"#, .denied),
    PermissionRow("social.GetComment", #"{"comment_id":"$comment"}"#, .open),
    PermissionRow("social.GetComments", #"{"post_id":"$post"}"#, .open),
    PermissionRow("social.GetCommentCount", #"{"post_id":"$post"}"#, .open),
    PermissionRow("social.CreateShare", #"{"user_id":"$actor","post_id":"$post"}"#, .only(.actor)),
    PermissionRow("social.GetShareCount", #"{"post_id":"$post"}"#, .open),
    PermissionRow("social.CheckUserShared", #"{"user_id":"$actor","post_id":"$post"}"#, .open),
    PermissionRow("social.BatchGetPostStats", #"{"post_ids":["$post"]}"#, .open),
  ]

  private static let content = [
    PermissionRow("content.GetPost", #"{"post_id":"$post"}"#, .open),
    PermissionRow("content.CreatePost", #"{"creator_id":"$actor","content":"c"}"#, .only(.actor)),
    PermissionRow("content.UpdatePost", #"{"post_id":"$post","content":"d"}"#, .only(.author)),
    PermissionRow("content.DeletePost", #"{"post_id":"$post","deleted_by_id":"$author"}"#, .only(.author)),
    PermissionRow("content.DeletePost", #"{"post_id":"$post","deleted_by_id":"$actor"}"#, .denied),
    PermissionRow("content.GetPostsByIds", #"{"post_ids":["$post"]}"#, .open),
    PermissionRow("content.GetPostsByAuthor", #"{"author_id":"$author"}"#, .open),
    PermissionRow("content.GetUserBookmarks", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("content.CreateBookmark", #"{"user_id":"$actor","post_id":"$post"}"#, .only(.actor)),
    PermissionRow("content.DeleteBookmark", #"{"user_id":"$actor","post_id":"$post"}"#, .only(.actor)),
    PermissionRow("content.CheckPostExists", #"{"post_id":"$post"}"#, .open),
  ]

  private static let media = [
    PermissionRow("media.StartUpload", #"{"user_id":"$actor","file_name":"a.png","file_size":3}"#, .only(.actor)),
    PermissionRow("media.UpdateUploadProgress", #"{"upload_id":"$begun","uploaded_size":1}"#, .only(.actor)),
    PermissionRow("media.CompleteUpload", #"{"upload_id":"$upload","sha256":"$digest"}"#, .only(.actor)),
    PermissionRow("media.GetUpload", #"{"upload_id":"$upload"}"#, .open),
    PermissionRow("media.CreateVideo", #"{"creator_id":"$actor","title":"t"}"#, .only(.actor)),
    PermissionRow("media.CreateVideo", #"{"creator_id":"$actor","upload_id":"$upload"}"#, .only(.actor)),
    PermissionRow("media.GetVideo", #"{"video_id":"video-1"}"#, .open),
    PermissionRow("media.GetUserVideos", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("media.CreateReel", #"{"creator_id":"$actor","upload_id":"$upload"}"#, .only(.actor)),
    PermissionRow("media.GetReel", #"{"reel_id":"reel-1"}"#, .open),
    PermissionRow("media.ListReels", "{}", .open),
  ]

  private static let users = [
    PermissionRow("user.GetUserProfile", #"{"user_id":"$private"}"#, .open),
    PermissionRow("user.GetUserProfilesByIds", #"{"user_ids":["$private"]}"#, .open),
    PermissionRow("user.UpdateUserProfile", #"{"user_id":"$actor","bio":"b"}"#, .only(.actor)),
    PermissionRow("user.GetUserSettings", #"{"user_id":"$actor"}"#, .only(.actor)),
    PermissionRow("user.UpdateUserSettings", #"{"user_id":"$actor","dark_mode":true}"#, .only(.actor)),
    PermissionRow("user.SearchUsers", #"{"query":"stranger"}"#, .open),
    PermissionRow("user.CheckUserRelationship", #"{"follower_id":"$actor","followee_id":"$friend"}"#, .open),
  ]

  private static let auth = [
    PermissionRow(
      "auth.Register", #"{"email":"new@nova.example","username":"new_user","password":"a-password"}"#, .tokenIgnored),
    PermissionRow("auth.Login", #"{"email":"actor@nova.example","password":"a-password"}"#, .tokenIgnored),
    PermissionRow("auth.Refresh", #"{"refresh_token":"$refresh"}"#, .tokenIgnored),
    PermissionRow("auth.Logout", #"{"refresh_token":"$refresh"}"#, .openToTheDeparted),
    PermissionRow("auth.VerifyToken", #"{"token":"t"}"#, .open),
    PermissionRow("auth.GetUser", #"{"user_id":"$private"}"#, .open),
  ]

  private static let feed = [
    PermissionRow("feed.GetFeed", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("feed.RankPosts", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("feed.GetRecommendedCreators", #"{"user_id":"$actor"}"#, .open),
    PermissionRow("feed.InvalidateFeedCache", #"{"user_id":"$actor","event_type":"e"}"#, .only(.actor)),
  ]

  private static let capture = [
    PermissionRow("capture.CreateSomething", #"{"content":"c"}"#, .open),
    PermissionRow("capture.ListSomethings", "{}", .open),
    PermissionRow("capture.GetSomething", #"{"id":1}"#, .hiddenFromAll(but: .actor)),
    PermissionRow("capture.UpdateMeaning", #"{"id":1,"meaning":"m"}"#, .hiddenFromAll(but: .actor)),
    PermissionRow("capture.DeleteSomething", #"{"id":1}"#, .hiddenFromAll(but: .actor)),
  ]

  private static let announcements = [
    PermissionRow("announcements.ListAnnouncements", "{}", .tokenIgnored),
    PermissionRow("announcements.GetAnnouncement", #"{"id":"pet-1"}"#, .tokenIgnored),
  ]
}
