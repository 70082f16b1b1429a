import NovaCore

/// What is known of the upload of a file, as its journal has it: lines of JSON.
///
/// The first line is written before anything is sent, the second when the server has started the upload, and one more
/// for each confirmed chunk. Of an upload that was started over, the last such line counts.
struct UploadRecord: Sendable, Hashable {
  /// What is uploaded, to whom, and under which key it is started.
  struct Beginning: Sendable, Hashable {
    var id: String
    var path: String
    var file: FileIdentity
    var contentType: String
    var fileName: String
    var userId: String
    /// Who began it; nil in records of earlier versions.
    var caller: Identity.Caller?
    /// The root of the gateway's URLs.
    var gateway: String
    /// The `Idempotency-Key` of StartUpload.
    var key: String
    /// In Unix seconds.
    var time: Double
  }

  /// What the server answered.
  struct Start: Sendable, Hashable {
    var uploadId: String
    /// Where the bytes go; nil if that may be a secret.
    var uploadUrl: String?
    var chunkSize: Int64
    /// What the server calls the file; nil if it does not say.
    var fileName: String?
    /// When the upload began, by the server's clock, in Unix seconds; nil if it does not say.
    var createdAt: Int64?
  }

  /// How much the server has confirmed, and the digest of that.
  struct Position: Sendable, Hashable {
    var offset: Int
    var digest: [UInt8]
    /// How many bytes were sent at most; nil if that is not known.
    var sent: Int?
    /// Whether the completion was asked for, and no answer shows that it was refused.
    var isCompleting = false

    /// Nothing is confirmed.
    static let none = Position(offset: 0, digest: [UInt8](repeating: 0, count: 32))
  }

  var beginning: Beginning
  var start: Start?
  var position: Position?
  /// When the last line was written, in Unix seconds: the latest time of all lines, because clocks are set back.
  var changedAt: Double
  /// How many bytes of the journal are whole lines.
  var length: Int

  /// Reads a journal. What follows the last end of a line was torn off, and is ignored.
  ///
  /// - Returns: nil if a line is not one of a journal.
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

  /// The upload as callers see it.
  var pending: PendingUpload {
    PendingUpload(
      id: beginning.id, path: beginning.path, fileName: beginning.fileName, totalBytes: beginning.file.size,
      uploadedBytes: position?.offset ?? 0, userId: beginning.userId, contentType: beginning.contentType,
      startedAt: beginning.time, changedAt: changedAt, gateway: beginning.gateway, uploadId: start?.uploadId,
      file: beginning.file, caller: beginning.caller)
  }
}

extension UploadRecord.Beginning {
  private static let version = 1

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
      // Larger than what all JSON readers represent.
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

  /// Reads the form of earlier records.
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
  /// A time to the millisecond.
  fileprivate static func time(_ seconds: Double) -> JSONValue {
    let milliseconds = Int((seconds * 1000).rounded())
    return .number(Duration.milliseconds(milliseconds).secondsText)
  }

  /// Seconds of a time that a date can have.
  fileprivate var double: Double? {
    guard case .number(let text) = self, let number = Double(text), abs(number) < 1e12 else { return nil }
    return number
  }
}
