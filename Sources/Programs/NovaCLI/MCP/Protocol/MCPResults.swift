import NovaCore

/// Limits the size of results, because models read all of them, and keeps the rest for a while.
final class MCPResults: Sendable {
  /// The maximum size of the text of one result, in bytes.
  static let limit = 40_000
  /// The maximum number of results that are kept.
  private static let keptCount = 8
  /// The maximum size of a result that is kept, in bytes.
  private static let keptBytes = 4 << 20

  private struct State {
    var last = 0
    var kept: [(id: Int, bytes: [UInt8])] = []
  }

  private let secrets: @Sendable () -> [String]
  private let state = Locked(State())

  /// - Parameter secrets: the tokens that the server uses, which must not be in results.
  init(secrets: @escaping @Sendable () -> [String]) { self.secrets = secrets }

  /// The result of a call of a tool.
  func result(_ text: String, isError: Bool) -> JSONValue {
    let bytes = Array(masked(text).utf8)
    guard bytes.count > Self.limit else { return Self.result([bytes], isError: isError) }
    let id = keep(bytes)
    return Self.result([Self.part(of: bytes, from: 0), Array(note(on: id, bytes, from: 0).utf8)], isError: isError)
  }

  /// The rest of a result that was cut.
  ///
  /// - Throws: ``Failure`` if it is not kept any longer, or has no such position.
  func rest(of id: Int, from offset: Int) throws -> String {
    guard let bytes = state.withLock({ state in state.kept.first { $0.id == id }?.bytes }) else {
      throw Failure(
        "not found: result \(id)",
        hint: "Only the last \(Self.keptCount) results that were cut are kept. Repeat the call.",
        .notFound)
    }
    guard (0..<bytes.count).contains(offset) else {
      throw Failure("invalid argument: offset must be 0 to \(bytes.count - 1), got \(offset)", .badData)
    }
    let part = Self.part(of: bytes, from: offset)
    let text = String(decoding: part, as: UTF8.self)
    return offset + part.count < bytes.count ? "\(text)\n\(note(on: id, bytes, from: offset))" : text
  }

  private func masked(_ text: String) -> String {
    let text = SecretText.replacingTokens(in: text) { _ in SecretText.mask } ?? text
    return SecretRedactor(secrets()).masked(text)
  }

  private func keep(_ bytes: [UInt8]) -> Int {
    state.withLock { state in
      state.last += 1
      state.kept.append((state.last, Array(bytes.prefix(Self.keptBytes))))
      if state.kept.count > Self.keptCount { state.kept.removeFirst() }
      return state.last
    }
  }

  /// The bytes from a position up to the limit, without half a character at the end.
  private static func part(of bytes: [UInt8], from offset: Int) -> [UInt8] {
    // Room for the note.
    var end = min(bytes.count, offset + limit - 400)
    while end < bytes.count, end > offset, UTF8.isContinuation(bytes[end]) { end -= 1 }
    return Array(bytes[offset..<end])
  }

  private func note(on id: Int, _ bytes: [UInt8], from offset: Int) -> String {
    let end = offset + Self.part(of: bytes, from: offset).count
    let kept = min(bytes.count, Self.keptBytes)
    let dropped = bytes.count > kept ? " Of the result, \(kept) bytes are kept." : ""
    return """
      [This result has \(bytes.count) bytes, and was cut: these are bytes \(offset) to \(end - 1). Ask for less, for example \
      with a smaller limit, or read on with read_rest {"result": \(id), "offset": \(end)}.\(dropped)]
      """
  }

  private static func result(_ parts: [[UInt8]], isError: Bool) -> JSONValue {
    [
      "content": .array(parts.map { ["type": "text", "text": .string(String(decoding: $0, as: UTF8.self))] }),
      "isError": .bool(isError),
    ]
  }
}
