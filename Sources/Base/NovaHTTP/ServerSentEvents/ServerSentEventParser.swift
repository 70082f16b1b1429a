internal import NovaSupport

/// Reads a `text/event-stream` from chunks of any size, by the rules of WHATWG's standard.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// let items = try parser.parse(Array("data: hello\n\n".utf8))
/// ```
public struct ServerSentEventParser: Sendable {
  /// The default maximum size of an event: 1 MiB.
  public static let defaultLimit = 1 << 20

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let limit: Int
  /// The start of a line that has not ended.
  private var line: [UInt8] = []
  private var isAtFirstLine = true
  /// Whether the last byte was a carriage return, so that a line feed may follow.
  private var skipsLineFeed = false
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var id: String
  /// Whether the current event contained an ID.
  private var bringsID = false
  private var reportedID: String
  /// Whether an event has started but not ended.
  package var isInsideEvent: Bool {
    let isOfEvent = !line.isEmpty && line[0] != UInt8(ascii: ":") && !line.starts(with: "retry".utf8)
    return hasData || bringsID || !type.isEmpty || isOfEvent
  }
  /// The reason why nothing more can be read.
  private(set) var failure: ServerSentEventError?

  /// Creates a parser for the start of a stream.
  ///
  /// - Parameters:
  ///   - limit: the maximum size of an event, in bytes.
  ///   - lastID: the latest ID, until the server sends one.
  public init(limit: Int = defaultLimit, lastID: String = "") {
    self.limit = limit
    id = lastID
    reportedID = lastID
  }

  /// Parses the next bytes, and returns the items that they complete.
  ///
  /// - Throws: ``ServerSentEventError/tooLarge(limit:)``: in this call if it completes no item before the error, and in
  ///   all later ones.
  public mutating func parse(_ bytes: [UInt8]) throws(ServerSentEventError) -> [ServerSentEventItem] {
    if let failure { throw failure }
    var items: [ServerSentEventItem] = []
    do { try parse(bytes, into: &items) } catch {
      failure = error
      if items.isEmpty { throw error }
    }
    return items
  }

  private mutating func parse(
    _ bytes: [UInt8], into items: inout [ServerSentEventItem]
  ) throws(ServerSentEventError) {
    var rest = bytes[...]
    if skipsLineFeed, let first = rest.first {
      if first == Self.lineFeed { rest.removeFirst() }
      skipsLineFeed = false
    }
    while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      try append(rest[..<end])
      let next = rest.index(after: end)
      let isPair = rest[end] == Self.carriageReturn && next < rest.endIndex && rest[next] == Self.lineFeed
      skipsLineFeed = rest[end] == Self.carriageReturn && next == rest.endIndex
      rest = rest[(isPair ? next + 1 : next)...]
      if let item = endLine() { items.append(item) }
    }
    try append(rest)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) throws(ServerSentEventError) {
    guard bytes.count <= limit - line.count - data.count - type.count else { throw .tooLarge(limit: limit) }
    line.append(contentsOf: bytes)
  }

  private mutating func endLine() -> ServerSentEventItem? {
    defer { line.removeAll(keepingCapacity: true) }
    if isAtFirstLine {
      isAtFirstLine = false
      if line.starts(with: ByteOrderMark.utf8) { line.removeFirst(ByteOrderMark.utf8.count) }
    }
    if line.isEmpty { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let name = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    if colon == 0 { return .comment(String(decoding: value, as: UTF8.self)) }
    return field(name, value)
  }

  private mutating func field(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> ServerSentEventItem? {
    if name.elementsEqual("data".utf8) {
      if hasData { data.append(Self.lineFeed) }
      data.append(contentsOf: value)
      hasData = true
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { (id, bringsID) = (String(decoding: value, as: UTF8.self), true) }
    } else if name.elementsEqual("retry".utf8) {
      let isNumber = !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      // A number that is too large for a clock counts as absent.
      if isNumber, let time = Int64(String(decoding: value, as: UTF8.self)) { return .retry(.milliseconds(time)) }
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEventItem? {
    defer {
      type.removeAll(keepingCapacity: true)
      data.removeAll(keepingCapacity: data.count <= 64 << 10)
      (hasData, bringsID) = (false, false)
    }
    defer { reportedID = id }
    guard hasData else { return id == reportedID ? nil : .id(id) }
    var event = ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data, as: UTF8.self), id: id)
    if !bringsID { event.ownID = nil }
    return .event(event)
  }
}
