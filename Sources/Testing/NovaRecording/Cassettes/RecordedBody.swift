import NovaCore

/// A body in a cassette.
enum RecordedBody: Sendable, Hashable {
  case none
  case json(JSONValue)
  case text(String)
  case bytes([UInt8])
  /// So many bytes, which are not recorded because they are too many.
  case omitted(count: Int)

  /// Reads a body; of one that is larger than ``Recorder/largestBody``, only the size.
  init(reading body: HTTPBody) async throws {
    self = try await BodyCopy(reading: body).content
  }

  /// Chooses the most readable format without loss of meaning.
  init(_ body: [UInt8]) {
    if body.isEmpty {
      self = .none
    } else if let json = try? JSONValue(jsonUTF8: body) {
      self = .json(json)
    } else if !body.contains(0), let text = String(validating: body, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .bytes(body)
    }
  }

  /// The bytes to send.
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .json(let json): json.jsonUTF8
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .omitted: []
    }
  }

  /// The canonical form for comparing bodies.
  var canonical: JSONValue? {
    switch self {
    case .text, .bytes: MultipartForm(bytes)?.canonical ?? canonicalContent
    case .none, .json, .omitted: canonicalContent
    }
  }

  /// The canonical form of anything other than a form with parts.
  var canonicalContent: JSONValue? {
    switch self {
    case .none: nil
    case .json(let json): json
    case .text(let text): .string(text)
    case .bytes(let bytes): .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
    case .omitted(let count): .string("(\(count) bytes that are not recorded)")
    }
  }

  /// The name and value in a cassette's line.
  var member: (name: String, value: JSONValue?) {
    switch self {
    case .none: ("json", nil)
    case .json(let json): ("json", json)
    case .text(let text): ("text", .string(text))
    case .bytes(let bytes): ("base64", .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))
    case .omitted(let count): ("omitted_bytes", .number("\(count)"))
    }
  }

  /// Decodes the body in a part of a cassette's line; nil for invalid Base64.
  init?(in part: JSONValue) {
    if let json = part["json"] {
      self = .json(json)
    } else if let text = part["text"]?.stringValue {
      self = .text(text)
    } else if let base64 = part["base64"]?.stringValue {
      guard let bytes = Base64.decode(base64) else { return nil }
      self = .bytes(bytes)
    } else if let count = part["omitted_bytes"]?.integerValue {
      self = .omitted(count: count)
    } else {
      self = .none
    }
  }
}

/// The bytes of a body as they pass, up to ``Recorder/largestBody``.
struct BodyCopy: Sendable {
  private var bytes: [UInt8] = []
  private(set) var count = 0
  /// A part of the memory for all copies; nil without a shared limit.
  private let share: CopyBudget.Share?
  private var exceedsShare = false

  init(_ budget: CopyBudget? = nil) { share = budget.map(CopyBudget.Share.init) }

  /// Reads a body; of one that is known to be too large, only the size.
  init(reading body: HTTPBody) async throws {
    self.init()
    if let length = body.length, length > Recorder.largestBody {
      count = length
    } else {
      for try await chunk in body { append(chunk) }
    }
  }

  /// Whether the body is larger than what is recorded.
  var isTooLarge: Bool { exceedsShare || count > Recorder.largestBody }

  var content: RecordedBody { isTooLarge ? .omitted(count: count) : RecordedBody(bytes) }

  /// What is recorded as the body of a message.
  var body: HTTPBody { .bytes(bytes) }

  mutating func append(_ chunk: [UInt8]) {
    count += chunk.count
    if !isTooLarge, let share, !share.grow(by: chunk.count) { exceedsShare = true }
    if isTooLarge {
      bytes = []
    } else if bytes.isEmpty {
      bytes = chunk
    } else {
      bytes += chunk
    }
  }
}

/// The memory that all copies of bodies together may use while they pass.
final class CopyBudget: Sendable {
  /// In bytes: four of the largest bodies.
  private static let limit = 4 * Recorder.largestBody

  private let used = Locked(0)

  /// What one copy uses. It is free again when the last value that has the copy is released.
  final class Share: Sendable {
    private let budget: CopyBudget
    private let size = Locked(0)

    init(_ budget: CopyBudget) { self.budget = budget }

    deinit { budget.used.withLock { $0 -= size.withLock { $0 } } }

    /// Returns false, and reserves nothing, if there is no room.
    func grow(by count: Int) -> Bool {
      let hasRoom = budget.used.withLock { used in
        guard used + count <= CopyBudget.limit else { return false }
        used += count
        return true
      }
      if hasRoom { size.withLock { $0 += count } }
      return hasRoom
    }
  }
}
