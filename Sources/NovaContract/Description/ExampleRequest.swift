package import NovaCore

/// Example requests for descriptions of the contract, with values that the mock backend's sample data has.
package enum ExampleRequest {
  /// The example of an RPC: the fields that it needs, and those that show what it does.
  package static func json(of rpc: RPCDescriptor) -> JSONValue {
    let values = own[rpc.id] ?? []
    let style = rpc.http.names
    return .object(
      rpc.requestType.descriptor.fields.compactMap { field in
        let value = values.first { $0.field == field.name }?.value ?? shared[field.name]
        guard let value, value != .null else { return nil }
        let isList = field.cardinality == .repeated
        return JSONValue.Member(
          name: style == .proto ? field.name : field.jsonName,
          value: isList && value.elements == nil ? .array([value]) : value)
      })
  }

  /// The example as an argument of `nova call`, in quotes for a shell.
  package static func command(of rpc: RPCDescriptor) -> String {
    let json = json(of: rpc)
    let text = String(decoding: json.jsonUTF8, as: UTF8.self)
    return "nova call \(rpc.id)\(json.memberList?.isEmpty == false ? " '\(text)'" : "")"
  }

  private static let me = JSONValue.string("mock-user-id")
  private static let other = JSONValue.string("user-1492")

  /// Values by the name of their field.
  private static let shared: [String: JSONValue] = [
    "user_id": me, "follower_id": me, "muter_id": me, "blocker_id": me, "creator_id": me, "author_id": me,
    "deleted_by_id": me, "followee_id": other, "mutee_id": other, "blocked_id": other, "followee_ids": other,
    "user_ids": .array([me, other]), "post_id": .string("post-1"),
    "post_ids": .array([.string("post-1"), .string("post-2")]), "comment_id": .string("comment-1"),
    "upload_id": .string("upload-1"), "video_id": .string("video-1"), "reel_id": .string("reel-1"),
    "content": .string("Good morning."), "query": .string("bruce"), "limit": .number("3"),
    "email": .string("bruce@nova.social"), "password": .string("mock-password"),
    "token": .string("<access token>"), "refresh_token": .string("<refresh token>"),
  ]

  /// Values of single RPCs; null for a field to leave out.
  private static let own: [String: [(field: String, value: JSONValue)]] = [
    "announcements.ListAnnouncements": [("lat", .number("38.72")), ("lng", .number("-9.14"))],
    "announcements.GetAnnouncement": [("id", .string("pet-1"))],
    "auth.Register": [
      ("email", .string("ada@example.com")), ("username", .string("ada")), ("password", .string("a long password")),
    ],
    "capture.CreateSomething": [("content_type", .string("text"))],
    "capture.GetSomething": [("id", .number("1"))],
    "capture.UpdateMeaning": [("id", .number("1")), ("meaning", .string("A calm start."))],
    "capture.DeleteSomething": [("id", .number("1"))],
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
}
