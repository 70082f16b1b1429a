/// What the contract defines about fields beyond their types: which ones change the meaning of an answer if they are absent.
enum FieldMeaning {
  /// Fields that are never empty, by message. Without one of them, the SDK would return a record without an id, an author,
  /// or a time.
  static let neverDefault: [String: Set<String>] = [
    "nova.social_service.v1.Like": ["id", "user_id", "post_id", "created_at"],
    "nova.social_service.v1.Comment": ["id", "post_id", "creator_id", "content", "created_at"],
    "nova.content_service.v1.Post": ["id", "creator_id", "content", "created_at"],
    "nova.content_service.v1.DeletePostResponse": ["post_id"],
    "nova.media_service.v1.Upload": ["id", "user_id", "file_name", "file_size", "status", "created_at"],
    "nova.media_service.v1.StartUploadResponse": ["upload_url"],
    "nova.media_service.v1.Video": ["id", "creator_id", "created_at"],
    "nova.media_service.v1.Reel": ["id", "creator_id", "created_at"],
    "nova.user_service.v1.UserProfile": ["id", "username", "created_at"],
    "nova.user_service.v1.UserSettings": ["user_id"],
    "nova.user_service.v1.CheckUserRelationshipResponse": ["relationship_type"],
    "nova.auth_service.v1.User": ["id", "username"],
    // Without a token, the account waits for its e-mail address to be confirmed.
    "nova.auth_service.v1.RegisterResponse": ["user_id"],
    "nova.auth_service.v1.LoginResponse": ["user_id", "token", "refresh_token", "expires_in"],
    "nova.auth_service.v1.RefreshResponse": ["token", "expires_in"],
    "nova.feed_service.v1.FeedPost": ["id", "user_id", "content", "created_at"],
    "nova.feed_service.v1.RankedPost": ["id"],
    "nova.feed_service.v1.RecommendedCreator": ["id"],
    "nova.capture_service.v1.Something": ["id", "user_id", "content_type", "created_at"],
    "nova.analytics_service.v1.RejectedEvent": ["reason"],
    "nova.announcements_service.v1.Announcement": [
      "id", "pet_name", "species", "status", "photo_url", "last_seen_date", "phone", "description", "created_at",
      "updated_at",
    ],
  ]

  /// Fields that are never absent, by message, and that may have their default: 0 is a latitude.
  static let neverAbsent: [String: Set<String>] = [
    "nova.announcements_service.v1.Announcement": ["location_latitude", "location_longitude"]
  ]

  /// The fields that a message requires alone, but not as an item of a list.
  struct Item {
    /// Fields that items may lack.
    let mayBeAbsent: Set<String>
    /// Fields of items that may be empty, but not absent.
    let mayBeDefault: Set<String>
  }

  /// The lists, by the response's field.
  static let inLists: [String: Item] = [
    // Clients skip an item without one of these texts, which people write, and show the others.
    "nova.announcements_service.v1.ListAnnouncementsResponse.data": Item(
      mayBeAbsent: ["created_at", "updated_at"], mayBeDefault: ["pet_name", "photo_url", "phone", "description"])
  ]

  /// Fields of which one is enough, by message.
  static let eitherOf: [String: [String: String]] = [
    "nova.social_service.v1.GetPostLikesResponse": ["likes": "user_ids", "user_ids": "likes"]
  ]

  /// Fields that the contract lets servers leave out.
  static let mayBeAbsent: [String: Set<String>] = [
    "nova.auth_service.v1.RefreshResponse": ["refresh_token"],
    "nova.auth_service.v1.RegisterResponse": ["token", "refresh_token", "expires_in"],
    "nova.media_service.v1.Upload": ["url"],
  ]
}
