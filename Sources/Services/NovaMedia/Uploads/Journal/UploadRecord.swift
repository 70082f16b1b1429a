import NovaCore

/// The recorded state of a file's upload. In its journal, it is a sequence of JSON lines.
///
/// The first line is written before anything is sent, the second when the server has started the upload, and one more
/// for each confirmed chunk. If the upload was started over, the last start line counts.
struct UploadRecord: Sendable, Hashable {
  /// What is uploaded, to which gateway, and with which key it is started.
  struct Beginning: Sendable, Hashable {
    var id: String
    var path: String
    var file: FileIdentity
    var contentType: String
    var fileName: String
    var userId: String
    /// The caller who began it; nil in records of earlier versions.
    var caller: Identity.Caller?
    /// The gateway's base URL.
    var gateway: String
    /// The `Idempotency-Key` of StartUpload.
    var key: String
    /// The time in Unix seconds.
    var time: Double
  }

  /// The server's response to the start.
  struct Start: Sendable, Hashable {
    var uploadId: String
    /// The URL for the bytes; nil if it may be secret.
    var uploadUrl: String?
    var chunkSize: Int64
    /// The server's name for the file; nil if it sent none.
    var fileName: String?
    /// When the upload began, by the server's clock, in Unix seconds; nil if it sent no time.
    var createdAt: Int64?
  }

  /// The number of confirmed bytes, and their digest.
  struct Position: Sendable, Hashable {
    var offset: Int
    var digest: [UInt8]
    /// The maximum number of bytes that were sent; nil if unknown.
    var sent: Int?
    /// Whether completion was requested and has not been refused.
    var isCompleting = false

    /// No bytes are confirmed.
    static let none = Position(offset: 0, digest: [UInt8](repeating: 0, count: 32))
  }

  var beginning: Beginning
  var start: Start?
  var position: Position?
  /// When the last line was written, in Unix seconds. It is the latest time of all lines, because clocks can be set
  /// back.
  var changedAt: Double
  /// The size of the complete lines.
  var length: Int

  /// Parses a journal. An incomplete last line is ignored.
  ///
  /// - Returns: nil if any line is invalid.
  init?(journal bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), let json = try? JSONValue(jsonUTF8: Array(first)),
      let beginning = Beginning(json: json)
    else { return nil }
    self.beginning = beginning
    changedAt = beginning.time
    length = end + 1
    for line in lines {
      guard let json = try? JSONValue(jsonUTF8: Array(line)), let time = json["time"]?.double else { return nil }
      if let start = Start(json: json) {
        (self.start, position) = (start, nil)
      } else if let position = Position(json: json), position.offset <= beginning.file.size {
        self.position = position
      } else {
        return nil
      }
      changedAt = max(changedAt, time)
    }
  }

  /// Whether a newer version of the SDK has written a journal, in a format that this one cannot read.
  static func isNewer(journal bytes: [UInt8]) -> Bool {
    let first = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    let version = (try? JSONValue(jsonUTF8: first))?["version"]?.integerValue
    return version.map { $0 > Beginning.version } ?? false
  }

  /// The upload in its public form.
  var pending: PendingUpload {
    PendingUpload(
      id: beginning.id, path: beginning.path, fileName: beginning.fileName, totalBytes: beginning.file.size,
      uploadedBytes: position?.offset ?? 0, userId: beginning.userId, contentType: beginning.contentType,
      startedAt: beginning.time, changedAt: changedAt, gateway: beginning.gateway, uploadId: start?.uploadId,
      file: beginning.file, caller: beginning.caller)
  }
}

extension UploadRecord.Beginning {
  fileprivate static let version = 1

  fileprivate init?(json: JSONValue) {
    guard json["version"]?.integerValue == Self.version, let id = json["id"]?.stringValue, UploadJournal.isID(id),
      let path = json["path"]?.stringValue, path.hasPrefix("/"), let size = json["size"]?.integerValue, size > 0,
      let modified = json["modified_ns"]?.integerValue,
      let device = json["device"]?.stringValue.flatMap({ UInt64($0) }),
      let inode = json["inode"]?.stringValue.flatMap({ UInt64($0) }),
      let contentType = json["content_type"]?.stringValue, let fileName = json["file_name"]?.stringValue,
      let userId = json["user_id"]?.stringValue, let gateway = json["gateway"]?.stringValue,
      let key = json["key"]?.stringValue, let time = json["time"]?.double
    else { return nil }
    self.init(
      id: id, path: path, file: FileIdentity(size: size, modified: modified, device: device, inode: inode),
      contentType: contentType, fileName: fileName, userId: userId,
      caller: json["caller"].flatMap(Identity.Caller.init),
      gateway: gateway, key: key, time: time)
  }

  var json: JSONValue {
    .members(
      ("version", .number("\(Self.version)")), ("id", .string(id)), ("path", .string(path)),
      ("size", .number("\(file.size)")), ("modified_ns", .number("\(file.modified)")),
      // As strings, because the numbers exceed what all JSON readers can represent.
      ("device", .string("\(file.device)")), ("inode", .string("\(file.inode)")),
      ("content_type", .string(contentType)),
      ("file_name", .string(fileName)), ("user_id", .string(userId)), ("caller", caller.map { .string($0.storedText) }),
      ("gateway", .string(gateway)), ("key", .string(key)), ("time", .time(time)))
  }
}

extension Identity.Caller {
  fileprivate init?(json: JSONValue) {
    if let text = json.stringValue { self.init(storedText: text) } else { self.init(members: json) }
  }

  /// Parses the form of earlier versions.
  private init?(members json: JSONValue) {
    if let user = json["user"]?.stringValue {
      self = .user(user)
    } else if let fingerprint = json["token_sha256"]?.stringValue {
      self = .token(fingerprint: fingerprint)
    } else if json.memberList?.isEmpty == true {
      self = .anonymous
    } else {
      return nil
    }
  }
}

extension UploadRecord.Start {
  fileprivate init?(json: JSONValue) {
    guard let uploadId = json["upload_id"]?.stringValue, !uploadId.isEmpty, let size = json["chunk_size"]?.integerValue
    else { return nil }
    self.init(
      uploadId: uploadId, uploadUrl: json["upload_url"]?.stringValue, chunkSize: Int64(size),
      fileName: json["file_name"]?.stringValue, createdAt: json["created_at"]?.integerValue.map { Int64($0) })
  }

  func json(at time: Double) -> JSONValue {
    .members(
      ("upload_id", .string(uploadId)), ("upload_url", uploadUrl.map { .string($0) }),
      ("chunk_size", .number("\(chunkSize)")), ("file_name", fileName.map { .string($0) }),
      ("created_at", createdAt.map { .number("\($0)") }), ("time", .time(time)))
  }
}

extension UploadRecord.Position {
  fileprivate init?(json: JSONValue) {
    guard let offset = json["offset"]?.integerValue, offset >= 0,
      let digest = json["sha256"]?.stringValue.flatMap(Hexadecimal.decode), digest.count == 32
    else { return nil }
    self.init(
      offset: offset, digest: digest, sent: json["sent"]?.integerValue, isCompleting: json["completing"] == .bool(true))
  }

  func json(at time: Double) -> JSONValue {
    .members(
      ("offset", .number("\(offset)")), ("sha256", .string(Hexadecimal.encode(digest))),
      ("sent", sent.map { .number("\($0)") }), ("completing", isCompleting ? .bool(true) : nil), ("time", .time(time)))
  }
}

extension JSONValue {
  /// A time in milliseconds.
  fileprivate static func time(_ seconds: Double) -> JSONValue {
    let milliseconds = Int((seconds * 1000).rounded())
    return .number(Duration.milliseconds(milliseconds).secondsText)
  }

  /// The seconds, if they are within the range of dates.
  fileprivate var double: Double? {
    guard case .number(let text) = self, let number = Double(text), abs(number) < 1e12 else { return nil }
    return number
  }
}
