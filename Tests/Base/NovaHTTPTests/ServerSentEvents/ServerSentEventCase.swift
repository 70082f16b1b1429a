import NovaHTTP
import Testing

/// A stream, and the items in it, regardless of how it is split.
struct ServerSentEventCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// The stream, in the chunks that matter most.
  let pieces: [[UInt8]]
  let items: [ServerSentEventItem]

  init(_ name: String, bytes: [[UInt8]], _ items: [ServerSentEventItem]) {
    (self.name, pieces, self.items) = (name, bytes, items)
  }

  init(_ name: String, _ pieces: String..., items: [ServerSentEventItem]) {
    self.init(name, bytes: pieces.map { Array($0.utf8) }, items)
  }

  var testDescription: String { name }

  /// All tested splits of the stream: as given, whole, in two at every byte, into bytes, and into pairs.
  var cuts: [[[UInt8]]] {
    let whole = Array(pieces.joined())
    let halves = whole.indices.map { [Array(whole[..<$0]), Array(whole[$0...])] }
    return [pieces, [whole], whole.cut(into: 1), whole.cut(into: 2)] + halves
  }
}

extension [UInt8] {
  func cut(into size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

extension ServerSentEventParser {
  /// The items of some chunks.
  static func items(
    in chunks: [[UInt8]], limit: Int = defaultLimit, lastID: String = ""
  ) throws -> [ServerSentEventItem] {
    var parser = ServerSentEventParser(limit: limit, lastID: lastID)
    return try chunks.flatMap { try parser.parse($0) }
  }
}

extension ServerSentEventItem {
  static func message(_ data: String, id: String = "", type: String = "message") -> ServerSentEventItem {
    .event(ServerSentEvent(type: type, data: data, id: id))
  }
}
