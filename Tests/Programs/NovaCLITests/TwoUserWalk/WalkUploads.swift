import NovaCore

/// The uploads of a walk's gateway.
struct WalkUploads: Sendable {
  static let chunkSize = 16 << 10

  private struct Upload {
    let id: String
    let owner: WalkUser
    let request: JSONValue
    var received = 0
    var isComplete = false

    var size: Int { request["file_size"]?.integerValue ?? 0 }

    var json: JSONValue {
      .members(
        ("id", .string(id)), ("user_id", .string(owner.id)), ("file_name", request["file_name"]),
        ("file_size", .number(String(size))), ("uploaded_size", .number(String(received))),
        ("status", .string(isComplete ? "completed" : "uploading")), ("content_type", request["content_type"]),
        ("url", .string(isComplete ? "/media/uploads/\(id)" : "")))
    }
  }

  private var uploads: [String: Upload] = [:]
  private(set) var completedCount = 0

  func owner(of id: String?) -> WalkUser? { id.flatMap { uploads[$0]?.owner } }

  mutating func start(_ request: JSONValue, by user: WalkUser) -> JSONValue {
    let id = "upload-\(uploads.count + 1)"
    let upload = Upload(id: id, owner: user, request: request)
    uploads[id] = upload
    return .members(
      ("upload", upload.json), ("upload_url", .string("/upload-bytes/\(id)")),
      ("chunk_size", .number(String(Self.chunkSize))))
  }

  /// Takes a chunk, if it is the next one.
  mutating func store(_ id: String, range: String?, count: Int) -> (status: Int, json: JSONValue) {
    guard var upload = uploads[id] else { return (404, .members()) }
    let first = range.flatMap { ContentRange($0)?.bytes?.lowerBound }
    let isNext = first == upload.received
    if isNext { upload.received += count }
    uploads[id] = upload
    return (isNext ? 200 : 409, .members(("upload", upload.json)))
  }

  mutating func complete(_ id: String) -> JSONValue {
    if uploads[id]?.isComplete == false { completedCount += 1 }
    uploads[id]?.isComplete = true
    return .members(("upload", uploads[id]?.json))
  }

  func get(_ id: String, by user: WalkUser) -> JSONValue {
    guard let upload = uploads[id], upload.owner == user else { return .members(("found", .bool(false))) }
    return .members(("upload", upload.json), ("found", .bool(true)))
  }
}
