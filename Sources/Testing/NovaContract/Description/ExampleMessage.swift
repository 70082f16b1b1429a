package import NovaCore

/// Examples of the contract's messages: requests that the mock backend accepts, and responses with all their fields.
package struct ExampleMessage {
  private let registry: RPCRegistry
  private let texts: ContractTexts
  /// How names are written.
  private let names: JSONNameStyle

  init(_ registry: RPCRegistry, _ texts: ContractTexts = .nova, names: JSONNameStyle) {
    (self.registry, self.texts, self.names) = (registry, texts, names)
  }

  /// The request of an RPC: the fields that it needs, and those that show what it does.
  package static func request(of rpc: RPCDescriptor) -> JSONValue {
    let values = ofRPC[rpc.id]
    return .object(
      rpc.requestType.descriptor.fields.compactMap { field in
        let value = values?[field.name] ?? inRequests[field.name]
        guard let value, value != .null else { return nil }
        let isList = field.cardinality == .repeated
        return JSONValue.Member(
          name: field.writtenName(rpc.http.names),
          value: isList && value.elements == nil ? .array([value]) : value)
      })
  }

  /// The request as an argument of `nova call`, in quotes for a shell.
  package static func command(of rpc: RPCDescriptor) -> String {
    let json = request(of: rpc)
    let text = String(decoding: json.jsonUTF8, as: UTF8.self)
    return "nova call \(rpc.id)\(json.memberList?.isEmpty == false ? " '\(text)'" : "")"
  }

  /// A response with all its fields, except those of failures and of things that did not happen yet.
  func response(_ message: MessageDescriptor) -> JSONValue {
    object(message) { field in field.name != "error" && (field.cardinality != .optional || field.name != "deleted_at") }
  }

  private func object(_ message: MessageDescriptor, including isIncluded: (FieldDescriptor) -> Bool) -> JSONValue {
    .object(
      message.fields.filter(isIncluded).map { field in
        JSONValue.Member(name: field.writtenName(names), value: value(of: field, in: message))
      })
  }

  private func value(of field: FieldDescriptor, in message: MessageDescriptor) -> JSONValue {
    let single = single(field, in: message)
    switch field.cardinality {
    case .singular, .optional: return single
    case .repeated:
      if let list = Self.inRequests[field.name], list.elements != nil { return list }
      return .array([single])
    case .map(let key):
      let name = key == .string ? (field.name == "counts" ? "like_count" : text(of: "post_id", in: message)) : "1"
      return .object([JSONValue.Member(name: field.name == "results" ? "user-1492" : name, value: single)])
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
    "location_latitude": "52.23", "location_longitude": "21.01", "frame_rate": "30",
  ]
  private static let integers = [
    "expires_in": "3600", "expires_at": "1764586800", "file_size": "11", "chunk_size": "1048576",
    "uploaded_size": "0", "duration_seconds": "12", "progress": "100", "processing_progress": "100", "width": "1080",
    "height": "1920", "bitrate_kbps": "4000", "timestamp": "1764583200",
  ]

  private func text(of name: String, in message: MessageDescriptor) -> String {
    if let text = Self.ofMessage["\(message.shortName).\(name)"] ?? Self.inResponses[name] { return text }
    if let text = Self.inRequests[name]?.stringValue { return text }
    if name.hasSuffix("_url") || name == "url" { return "/media/upload-1/hello.txt" }
    if name.hasSuffix("_id") || name.hasSuffix("_ids") {
      let parts = name.parts(between: "_", keepsEmpty: false)
      return "\(parts.dropLast().last ?? "item")-1"
    }
    return name.parts(between: "_", keepsEmpty: false).joined(separator: " ")
  }
}

// Values that the mock backend's sample data has.

extension ExampleMessage {
  private static let me: JSONValue = "mock-user-id"
  private static let other: JSONValue = "user-1492"

  /// Values by the name of their field, in requests and responses. Requests have only these and those of their RPC.
  private static let inRequests: [String: JSONValue] = [
    "user_id": me, "follower_id": me, "muter_id": me, "blocker_id": me, "creator_id": me, "author_id": me,
    "deleted_by_id": me, "followee_id": other, "mutee_id": other, "blocked_id": other, "followee_ids": other,
    "user_ids": [me, other], "post_id": "post-1", "post_ids": ["post-1", "post-2"], "comment_id": "comment-1",
    "upload_id": "upload-1", "video_id": "video-1", "reel_id": "reel-1", "content": "Good morning.",
    "query": "bruce", "limit": 3, "email": "bruce@nova.social", "password": "mock-password",
    "token": "<access token>", "refresh_token": "<refresh token>",
  ]

  /// Values in the requests of single RPCs; null for a field to leave out.
  private static let ofRPC: [String: JSONValue] = [
    "analytics.RecordEvents": [
      "events": [
        [
          "id": "event-1", "name": "post_opened", "user_id": me, "session_id": "session-1",
          "occurred_at_ms": 1_764_583_200_000, "properties": ["post_id": "post-1"],
        ]
      ]
    ],
    "announcements.ListAnnouncements": ["lat": .number("38.72"), "lng": .number("-9.14")],
    "announcements.GetAnnouncement": ["id": "pet-1"],
    "auth.Register": ["email": "ada@example.com", "username": "ada", "password": "a long password"],
    "capture.CreateSomething": ["content_type": "text"],
    "capture.GetSomething": ["id": 1],
    "capture.UpdateMeaning": ["id": 1, "meaning": "A calm start."],
    "capture.DeleteSomething": ["id": 1],
    "event.StreamEvents": ["topics": "user:mock-user-id"],
    "event.ListEvents": ["topics": "user:mock-user-id"],
    "feed.GetFeed": ["algorithm": "ch"],
    "feed.InvalidateFeedCache": ["event_type": "new_post"],
    "media.StartUpload": ["file_name": "cat.jpg", "file_size": 3, "content_type": "image/jpeg"],
    "media.UpdateUploadProgress": ["uploaded_size": 3],
    "media.CompleteUpload": ["sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    "media.CreateVideo": ["title": "Morning walk", "upload_id": .null],
    "media.CreateReel": ["caption": "Morning walk"],
    "social.UpdateComment": ["user_id": "user-1858"],
    "social.DeleteComment": ["user_id": "user-1858"],
    "social.CreateShare": ["share_type": "repost"],
    "user.UpdateUserProfile": ["bio": "Walks, coffee, code."],
    "user.UpdateUserSettings": ["dark_mode": true],
  ]

  /// Texts of single messages in responses.
  private static let ofMessage = [
    "Post.id": "post-1", "RankablePost.id": "post-1", "RankedPost.id": "post-1", "FeedPost.id": "post-1",
    "Like.id": "like-1", "Comment.id": "comment-1", "Upload.id": "upload-1", "Video.id": "video-1",
    "Reel.id": "reel-1", "UserProfile.id": "mock-user-id", "User.id": "mock-user-id",
    "RecommendedCreator.id": "user-1492", "Announcement.id": "pet-1", "RejectedEvent.id": "event-2",
    "RejectedEvent.reason": "session_id must not be empty",
    "RankedPost.reason": "popular", "Reel.status": "published", "Video.status": "published",
  ]

  /// Texts by the name of their field, in responses only.
  private static let inResponses: [String: String] = [
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
