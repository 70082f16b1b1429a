import NovaCore

/// A call, and who may make it.
struct PermissionRow: Sendable {
  let rpc: String
  /// The request as JSON. `$actor` and so on stand for ids, see ``PermissionWorld``.
  let request: String
  let rule: PermissionRule

  init(_ rpc: String, _ request: String, rule: PermissionRule) {
    (self.rpc, self.request, self.rule) = (rpc, request, rule)
  }
}

/// Every permission rule of the contract, and the mock's own: it requires no token, but with a token, callers cannot
/// act as another user.
///
/// Every RPC has a row. Reads are open, except for settings and data of the token's user: ``VisibilityTable`` has what they
/// show.
enum PermissionTable {
  static let rows =
    graph + social + content + media + users + auth + feed + capture + events + analytics
    + announcements

  private static let graph = [
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$actor","followee_id":"$stranger"}"#, rule: .only(.actor)),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$actor","followee_id":"$blocked"}"#, rule: .denied),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$blocked","followee_id":"$actor"}"#, rule: .denied),
    PermissionRow("graph.CreateFollow", #"{"follower_id":"$author","followee_id":"$private"}"#, rule: .only(.author)),
    PermissionRow("graph.DeleteFollow", #"{"follower_id":"$actor","followee_id":"$friend"}"#, rule: .only(.actor)),
    PermissionRow("graph.GetFollowers", #"{"user_id":"$private"}"#, rule: .open),
    PermissionRow("graph.GetFollowing", #"{"user_id":"$private"}"#, rule: .open),
    PermissionRow("graph.IsFollowing", #"{"follower_id":"$actor","followee_id":"$friend"}"#, rule: .open),
    PermissionRow("graph.BatchCheckFollowing", #"{"follower_id":"$actor","followee_ids":["$friend"]}"#, rule: .open),
    PermissionRow("graph.CreateMute", #"{"muter_id":"$actor","mutee_id":"$stranger"}"#, rule: .only(.actor)),
    PermissionRow("graph.DeleteMute", #"{"muter_id":"$actor","mutee_id":"$author"}"#, rule: .only(.actor)),
    PermissionRow("graph.DeleteMute", #"{"muter_id":"$author","mutee_id":"$actor"}"#, rule: .only(.author)),
    PermissionRow("graph.IsMuted", #"{"muter_id":"$actor","mutee_id":"$author"}"#, rule: .open),
    PermissionRow("graph.CreateBlock", #"{"blocker_id":"$actor","blocked_id":"$stranger"}"#, rule: .only(.actor)),
    PermissionRow("graph.DeleteBlock", #"{"blocker_id":"$actor","blocked_id":"$blocked"}"#, rule: .only(.actor)),
    PermissionRow("graph.IsBlocked", #"{"blocker_id":"$actor","blocked_id":"$blocked"}"#, rule: .open),
  ]

  private static let social = [
    PermissionRow("social.CreateLike", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .only(.actor)),
    PermissionRow("social.DeleteLike", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .only(.actor)),
    PermissionRow("social.GetPostLikes", #"{"post_id":"$post"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.GetLikeCount", #"{"post_id":"$post"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.CheckUserLiked", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .open),
    PermissionRow("social.BatchCheckUserLiked", #"{"user_id":"$actor","post_ids":["$post"]}"#, rule: .open),
    PermissionRow("social.GetUserLikedPosts", #"{"user_id":"$actor"}"#, rule: .open),
    PermissionRow(
      "social.CreateComment", #"{"post_id":"$post","user_id":"$actor","content":"c"}"#, rule: .only(.actor)),
    PermissionRow(
      "social.CreateComment", #"{"post_id":"$post","user_id":"$blocked","content":"c"}"#,
      rule: .only(.blocked).hidden(from: [.blocked])),
    PermissionRow(
      "social.UpdateComment", #"{"comment_id":"$comment","user_id":"$actor","content":"d"}"#, rule: .only(.actor)),
    PermissionRow(
      "social.UpdateComment", #"{"comment_id":"$comment","user_id":"$author","content":"d"}"#, rule: .denied),
    PermissionRow(
      "social.UpdateComment", #"{"comment_id":"$comment","user_id":"$stranger","content":"d"}"#, rule: .denied),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$actor"}"#, rule: .only(.actor)),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$author"}"#, rule: .only(.author)),
    PermissionRow("social.DeleteComment", #"{"comment_id":"$comment","user_id":"$friend"}"#, rule: .denied),
    PermissionRow("social.GetComment", #"{"comment_id":"$comment"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.GetComments", #"{"post_id":"$post"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.GetCommentCount", #"{"post_id":"$post"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.CreateShare", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .only(.actor)),
    PermissionRow("social.GetShareCount", #"{"post_id":"$post"}"#, rule: .hidden(from: .blocked)),
    PermissionRow("social.CheckUserShared", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .open),
    PermissionRow("social.BatchGetPostStats", #"{"post_ids":["$post"]}"#, rule: .open),
  ]

  private static let content = [
    PermissionRow("content.GetPost", #"{"post_id":"$post"}"#, rule: .open),
    PermissionRow("content.CreatePost", #"{"creator_id":"$actor","content":"c"}"#, rule: .only(.actor)),
    PermissionRow(
      "content.UpdatePost", #"{"post_id":"$post","content":"d"}"#,
      rule: .only(.author).hidden(from: [.blocked])),
    PermissionRow("content.DeletePost", #"{"post_id":"$post","deleted_by_id":"$author"}"#, rule: .only(.author)),
    PermissionRow("content.DeletePost", #"{"post_id":"$post","deleted_by_id":"$actor"}"#, rule: .denied),
    PermissionRow("content.GetPostsByIds", #"{"post_ids":["$post"]}"#, rule: .open),
    PermissionRow("content.GetPostsByAuthor", #"{"author_id":"$author"}"#, rule: .open),
    PermissionRow("content.GetUserBookmarks", #"{"user_id":"$actor"}"#, rule: .only(.actor)),
    PermissionRow("content.CreateBookmark", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .only(.actor)),
    PermissionRow("content.DeleteBookmark", #"{"user_id":"$actor","post_id":"$post"}"#, rule: .only(.actor)),
    PermissionRow("content.CheckPostExists", #"{"post_id":"$post"}"#, rule: .open),
  ]

  private static let media = [
    PermissionRow("media.StartUpload", #"{"user_id":"$actor","file_name":"a.png","file_size":3}"#, rule: .only(.actor)),
    PermissionRow("media.UpdateUploadProgress", #"{"upload_id":"$begun","uploaded_size":1}"#, rule: .only(.actor)),
    PermissionRow("media.CompleteUpload", #"{"upload_id":"$upload","sha256":"$digest"}"#, rule: .only(.actor)),
    PermissionRow("media.GetUpload", #"{"upload_id":"$upload"}"#, rule: .open),
    PermissionRow("media.CreateVideo", #"{"creator_id":"$actor","title":"t"}"#, rule: .only(.actor)),
    PermissionRow("media.CreateVideo", #"{"creator_id":"$actor","upload_id":"$upload"}"#, rule: .only(.actor)),
    PermissionRow("media.GetVideo", #"{"video_id":"video-1"}"#, rule: .open),
    PermissionRow("media.GetUserVideos", #"{"user_id":"$actor"}"#, rule: .open),
    PermissionRow("media.CreateReel", #"{"creator_id":"$actor","upload_id":"$upload"}"#, rule: .only(.actor)),
    PermissionRow("media.GetReel", #"{"reel_id":"reel-1"}"#, rule: .open),
    PermissionRow("media.ListReels", "{}", rule: .open),
  ]

  private static let users = [
    PermissionRow("user.GetUserProfile", #"{"user_id":"$private"}"#, rule: .open),
    PermissionRow("user.GetUserProfilesByIds", #"{"user_ids":["$private"]}"#, rule: .open),
    PermissionRow("user.UpdateUserProfile", #"{"user_id":"$actor","bio":"b"}"#, rule: .only(.actor)),
    PermissionRow("user.GetUserSettings", #"{"user_id":"$actor"}"#, rule: .only(.actor)),
    PermissionRow("user.UpdateUserSettings", #"{"user_id":"$actor","dark_mode":true}"#, rule: .only(.actor)),
    PermissionRow("user.SearchUsers", #"{"query":"stranger"}"#, rule: .open),
    PermissionRow("user.CheckUserRelationship", #"{"follower_id":"$actor","followee_id":"$friend"}"#, rule: .open),
  ]

  private static let auth = [
    PermissionRow(
      "auth.Register", #"{"email":"new@nova.example","username":"new_user","password":"a-password"}"#,
      rule: .tokenIgnored),
    PermissionRow("auth.Login", #"{"email":"actor@nova.example","password":"a-password"}"#, rule: .tokenIgnored),
    PermissionRow("auth.Refresh", #"{"refresh_token":"$refresh"}"#, rule: .tokenIgnored),
    PermissionRow("auth.Logout", #"{"refresh_token":"$refresh"}"#, rule: .openToTheDeparted),
    PermissionRow("auth.VerifyToken", #"{"token":"t"}"#, rule: .open),
    PermissionRow("auth.GetUser", #"{"user_id":"$private"}"#, rule: .open),
  ]

  private static let feed = [
    PermissionRow("feed.GetFeed", #"{"user_id":"$actor"}"#, rule: .open),
    PermissionRow("feed.RankPosts", #"{"user_id":"$actor"}"#, rule: .open),
    PermissionRow("feed.GetRecommendedCreators", #"{"user_id":"$actor"}"#, rule: .open),
    PermissionRow("feed.InvalidateFeedCache", #"{"user_id":"$actor","event_type":"e"}"#, rule: .only(.actor)),
  ]

  private static let capture = [
    PermissionRow("capture.CreateSomething", #"{"content":"c"}"#, rule: .open),
    PermissionRow("capture.ListSomethings", "{}", rule: .open),
    PermissionRow("capture.GetSomething", #"{"id":1}"#, rule: .hiddenFromAll(but: .actor)),
    PermissionRow("capture.UpdateMeaning", #"{"id":1,"meaning":"m"}"#, rule: .hiddenFromAll(but: .actor)),
    PermissionRow("capture.DeleteSomething", #"{"id":1}"#, rule: .hiddenFromAll(but: .actor)),
  ]

  private static let events = [
    PermissionRow("event.StreamEvents", #"{"topics":["user:$stranger"]}"#, rule: .open),
    PermissionRow("event.StreamEvents", #"{"topics":["user:$private"]}"#, rule: .only()),
    PermissionRow("event.StreamEvents", #"{"topics":["feed:$private"]}"#, rule: .only()),
    PermissionRow("event.StreamEvents", #"{"topics":["user:$stranger","post:$post"]}"#, rule: .all(but: .blocked)),
    PermissionRow("event.StreamEvents", #"{"topics":["me"]}"#, rule: .signedIn),
    PermissionRow("event.ListEvents", #"{"topics":["user:$stranger"]}"#, rule: .open),
    PermissionRow("event.ListEvents", #"{"topics":["user:$private"]}"#, rule: .only()),
    PermissionRow("event.ListEvents", #"{"topics":["post:$post"]}"#, rule: .all(but: .blocked)),
    PermissionRow("event.ListEvents", #"{"topics":["me"]}"#, rule: .signedIn),
  ]

  /// Events of several users can be in one request: of one who signed out, and of one who signed in since.
  private static let analytics = [
    PermissionRow(
      "analytics.RecordEvents",
      #"{"events":[{"id":"e","name":"n","user_id":"$actor","session_id":"s","occurred_at_ms":1}]}"#, rule: .open)
  ]

  private static let announcements = [
    PermissionRow("announcements.ListAnnouncements", "{}", rule: .tokenIgnored),
    PermissionRow("announcements.GetAnnouncement", #"{"id":"pet-1"}"#, rule: .tokenIgnored),
  ]
}
