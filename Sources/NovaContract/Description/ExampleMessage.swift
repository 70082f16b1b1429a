import NovaCore

/// Example values of responses, and of messages inside requests, computed from their descriptors. See also
/// ``ExampleRequest``.
struct ExampleMessage {
  private let registry: RPCRegistry
  private let texts: ContractTexts
  /// How names are written.
  private let names: JSONNameStyle

  init(_ registry: RPCRegistry, _ texts: ContractTexts = .nova, names: JSONNameStyle) {
    (self.registry, self.texts, self.names) = (registry, texts, names)
  }

  /// A response with all its fields, except those of failures and of things that did not happen yet.
  func response(_ message: MessageDescriptor) -> JSONValue {
    object(message) { field in field.name != "error" && (field.cardinality != .optional || field.name != "deleted_at") }
  }

  private func object(_ message: MessageDescriptor, including isIncluded: (FieldDescriptor) -> Bool) -> JSONValue {
    .object(
      message.fields.filter(isIncluded).map { field in
        JSONValue.Member(name: names == .proto ? field.name : field.jsonName, value: value(of: field, in: message))
      })
  }

  private func value(of field: FieldDescriptor, in message: MessageDescriptor) -> JSONValue {
    let single = single(field, in: message)
    switch field.cardinality {
    case .singular, .optional: return single
    case .repeated: return .array([single])
    case .map(let key):
      let name = key == .string ? (field.name == "counts" ? "like_count" : text(of: "post_id", in: message)) : "1"
      return .object([JSONValue.Member(name: field.name == "results" ? "user-0002" : name, value: single)])
    }
  }

  private func single(_ field: FieldDescriptor, in message: MessageDescriptor) -> JSONValue {
    switch field.kind {
    case .message(let name): registry.message(named: name).map { response($0.descriptor) } ?? .object([])
    case .bool: .bool(!Self.falseFlags.contains(field.name))
    case .string: .string(texts.knownValues(of: field, in: message).first ?? text(of: field.name, in: message))
    case .bytes: .string("bm92YQ==")
    case .timestamp: .string("2025-12-01T10:00:00Z")
    case .enumeration: .string("UNSPECIFIED")
    case .unixSeconds: .number(field.name == "failed_at" ? "0" : "1764583200")
    case .double, .float: .number(Self.decimals[field.name] ?? "0.5")
    default: .number(Self.integers[field.name] ?? "1")
    }
  }

  private static let falseFlags: Set<String> = [
    "has_more", "is_revoked", "is_private", "marketing_emails", "dark_mode",
  ]
  private static let decimals = [
    "lat": "52.23", "location_latitude": "52.23", "lng": "21.01", "location_longitude": "21.01", "frame_rate": "30",
  ]
  private static let integers = [
    "limit": "20", "expires_in": "3600", "expires_at": "1764586800", "file_size": "11", "chunk_size": "1048576",
    "uploaded_size": "0", "duration_seconds": "12", "progress": "100", "processing_progress": "100", "width": "1080",
    "height": "1920", "bitrate_kbps": "4000", "timestamp": "1764583200",
  ]

  private func text(of name: String, in message: MessageDescriptor) -> String {
    let short = message.name.parts(between: ".", keepsEmpty: false).last ?? message.name
    if let text = Self.ofMessage["\(short).\(name)"] ?? Self.byName[name] { return text }
    if name.hasSuffix("_url") || name == "url" { return "/media/upload-1/hello.txt" }
    if name.hasSuffix("_id") || name.hasSuffix("_ids") {
      let parts = name.parts(between: "_", keepsEmpty: false)
      return "\(parts.dropLast().last ?? "item")-1"
    }
    return name.parts(between: "_", keepsEmpty: false).joined(separator: " ")
  }

  private static let ofMessage = [
    "Post.id": "post-1", "RankablePost.id": "post-1", "RankedPost.id": "post-1", "FeedPost.id": "post-1",
    "Like.id": "like-1", "Comment.id": "comment-12", "Upload.id": "upload-1", "Video.id": "video-1",
    "Reel.id": "reel-1", "UserProfile.id": "mock-user-id", "User.id": "mock-user-id",
    "RecommendedCreator.id": "user-0002", "Announcement.id": "pet-1",
    "RankedPost.reason": "popular", "Reel.status": "published", "Video.status": "published",
  ]

  private static let byName: [String: String] = [
    "user_id": "mock-user-id", "follower_id": "mock-user-id", "creator_id": "mock-user-id",
    "author_id": "mock-user-id", "muter_id": "mock-user-id", "blocker_id": "mock-user-id",
    "deleted_by_id": "mock-user-id", "actor_id": "mock-user-id", "followee_id": "user-0002", "mutee_id": "user-0002",
    "blocked_id": "user-0002", "followee_ids": "user-0002", "user_ids": "user-0002", "followed_users": "user-0002",
    "blocked_users": "user-0003", "comment_id": "comment-12", "parent_comment_id": "", "next_cursor": "",
    "message": "", "query": "bruce", "email": "ada@example.com", "username": "ada_l", "name": "Ada",
    "password": "correct horse battery", "token": "header.payload.signature", "refresh_token": "opaque-token",
    "display_name": "Ada", "bio": "Walks, coffee, code.", "location": "Lisbon", "user_location": "Lisbon",
    "website": "https://example.com", "timezone": "Europe/Lisbon", "language": "en", "privacy_level": "public",
    "visibility": "public", "content": "Hello, world.", "title": "Hello", "description": "A walk in the park.",
    "caption": "A walk in the park.", "meaning": "A place to remember.", "file_name": "hello.txt",
    "content_type": "text/plain", "sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
    "event_type": "post.created", "user_interests": "coffee", "pet_name": "Luna", "last_seen_date": "2025-11-20",
    "phone": "+48 600 100 200", "reward": "500 PLN", "microchip_number": "941000024680135", "sex": "FEMALE",
    "breed": "European Shorthair", "created_at": "2025-11-20T10:00:00Z", "updated_at": "2025-11-20T10:00:00Z",
    "quality": "1080p", "target_quality": "1080p", "codec": "h264", "status": "active",
  ]
}
