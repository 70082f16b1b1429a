import NovaCore

/// A subscription as `text/event-stream`.
struct EventStreamBody: AsyncSequence, Sendable {
  let subscription: EventSubscriber
  /// The bytes before the first event.
  let opening: [UInt8]
  var encode: @Sendable (EventItem) -> [UInt8] = \.serverSentEvent

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let subscription: EventSubscriber
    fileprivate var opening: [UInt8]?
    fileprivate let encode: @Sendable (EventItem) -> [UInt8]

    mutating func next() async throws -> [UInt8]? {
      if let opening = opening.take() { return opening }
      guard let items = try await subscription.next() else { return nil }
      if items.count == 1 { return encode(items[0]) }
      let parts = items.map(encode)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
      for part in parts { bytes += part }
      return bytes
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(subscription: subscription, opening: opening, encode: encode)
  }

  /// The beginning of a stream: when to connect again, and the position, so that a client can resume before the first
  /// event.
  static func opening(_ start: (position: String, isReset: Bool), retry: Duration) -> [UInt8] {
    let milliseconds = Int(retry / .milliseconds(1))
    guard start.isReset else { return Array("retry: \(milliseconds)\nid: \(start.position)\n\n".utf8) }
    let data = String(decoding: (["id": .string(start.position)] as JSONValue).jsonUTF8, as: UTF8.self)
    return Array("retry: \(milliseconds)\n\nid: \(start.position)\nevent: reset\ndata: \(data)\n\n".utf8)
  }
}

extension EventItem {
  var serverSentEvent: [UInt8] {
    switch self {
    case .event(let event): return event.serverSentEvent
    case .alive(let place): return Array(":\nid: \(place.position)\n\n".utf8)
    case .end(let reason):
      let data = String(decoding: (["reason": .string(reason.rawValue)] as JSONValue).jsonUTF8, as: UTF8.self)
      return Array("event: end\ndata: \(data)\n\n".utf8)
    }
  }
}
