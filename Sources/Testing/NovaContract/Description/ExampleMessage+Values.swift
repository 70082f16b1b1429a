import NovaCore

/// The values of examples, where a name has the one that the mock backend's sample data has.
extension ExampleMessage {
  private static let me = JSONValue.string("mock-user-id")
  private static let other = JSONValue.string("user-1492")

  /// Values by the name of their field, in requests and responses. Requests have no others but those of their RPC.
  static let inRequests: [String: JSONValue] = [
    "user_id": me, "follower_id": me, "muter_id": me, "blocker_id": me, "creator_id": me, "author_id": me,
    "deleted_by_id": me, "followee_id": other, "mutee_id": other, "blocked_id": other, "followee_ids": other,
    "user_ids": .array([me, other]), "post_id": .string("post-1"),
    "post_ids": .array([.string("post-1"), .string("post-2")]), "comment_id": .string("comment-1"),
    "upload_id": .string("upload-1"), "video_id": .string("video-1"), "reel_id": .string("reel-1"),
    "content": .string("Good morning."), "query": .string("bruce"), "limit": .number("3"),
    "email": .string("bruce@nova.social"), "password": .string("mock-password"),
    "token": .string("<access token>"), "refresh_token": .string("<refresh token>"),
  ]

  /// Values in the requests of single RPCs; null for a field to leave out.
  static let ofRPC: [String: [(field: String, value: JSONValue)]] = [
    "analytics.RecordEvents": [
      (
        "events",
        .array([
          .members(
            ("id", .string("event-1")), ("name", .string("post_opened")), ("user_id", me),
            ("session_id", .string("session-1")), ("occurred_at_ms", .number("1764583200000")),
            ("properties", .members(("post_id", .string("post-1")))))
        ])
      )
    ],
    "announcements.ListAnnouncements": [("lat", .number("38.72")), ("lng", .number("-9.14"))],
    "announcements.GetAnnouncement": [("id", .string("pet-1"))],
    "auth.Register": [
      ("email", .string("ada@example.com")), ("username", .string("ada")), ("password", .string("a long password")),
    ],
    "capture.CreateSomething": [("content_type", .string("text"))],
    "capture.GetSomething": [("id", .number("1"))],
    "capture.UpdateMeaning": [("id", .number("1")), ("meaning", .string("A calm start."))],
    "capture.DeleteSomething": [("id", .number("1"))],
    "event.StreamEvents": [("topics", .string("user:mock-user-id"))],
    "event.ListEvents": [("topics", .string("user:mock-user-id"))],
    "feed.GetFeed": [("algorithm", .string("ch"))],
    "feed.InvalidateFeedCache": [("event_type", .string("new_post"))],
    "media.StartUpload": [
      ("file_name", .string("cat.jpg")), ("file_size", .number("3")), ("content_type", .string("image/jpeg")),
    ],
    "media.UpdateUploadProgress": [("uploaded_size", .number("3"))],
    "media.CompleteUpload": [
      ("sha256", .string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    ],
    "media.CreateVideo": [("title", .string("Morning walk")), ("upload_id", .null)],
    "media.CreateReel": [("caption", .string("Morning walk"))],
    "social.UpdateComment": [("user_id", .string("user-1858"))],
    "social.DeleteComment": [("user_id", .string("user-1858"))],
    "social.CreateShare": [("share_type", .string("repost"))],
    "user.UpdateUserProfile": [("bio", .string("Walks, coffee, code."))],
    "user.UpdateUserSettings": [("dark_mode", .bool(true))],
  ]

  /// Texts of single messages in responses.
  static let ofMessage = [
    "Post.id": "post-1", "RankablePost.id": "post-1", "RankedPost.id": "post-1", "FeedPost.id": "post-1",
    "Like.id": "like-1", "Comment.id": "comment-1", "Upload.id": "upload-1", "Video.id": "video-1",
    "Reel.id": "reel-1", "UserProfile.id": "mock-user-id", "User.id": "mock-user-id",
    "RecommendedCreator.id": "user-1492", "Announcement.id": "pet-1", "RejectedEvent.id": "event-2",
    "RejectedEvent.reason": "session_id must not be empty",
    "RankedPost.reason": "popular", "Reel.status": "published", "Video.status": "published",
  ]

  /// Texts by the name of their field, in responses only.
  static let inResponses: [String: String] = [
    "followed_users": "user-1492", "blocked_users": "user-1858", "parent_comment_id": "", "next_cursor": "",
    "message": "", "username": "ada_l", "name": "Ada", "display_name": "Ada", "bio": "Walks, coffee, code.",
    "location": "Lisbon", "user_location": "Lisbon", "website": "https://example.com", "timezone": "Europe/Lisbon",
    "language": "en", "privacy_level": "public", "visibility": "public", "title": "Hello",
    "description": "A walk in the park.", "caption": "A walk in the park.", "meaning": "A place to remember.",
    "file_name": "hello.txt", "content_type": "text/plain", "user_interests": "coffee", "pet_name": "Luna",
    "last_seen_date": "2025-11-20", "phone": "+48 600 100 200", "reward": "500 PLN",
    "microchip_number": "941000024680135", "sex": "FEMALE", "breed": "European Shorthair",
    "created_at": "2025-11-20T10:00:00Z", "updated_at": "2025-11-20T10:00:00Z", "quality": "1080p",
    "target_quality": "1080p", "codec": "h264", "status": "active",
  ]
}
