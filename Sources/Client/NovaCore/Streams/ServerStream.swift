/// The responses of a server-streaming RPC, in the order in which the gateway sends them.
///
/// The gateway is read no faster than the sequence. The call ends when the sequence ends, when the task that reads it is
/// cancelled, and when the sequence is dropped. A stream is one connection and can be read once: it does not connect
/// again. For live events that survive lost connections, see `EventService.subscribe(topics:)`.
///
/// ```swift
/// for try await event in try await nova.events.streamEvents(StreamEventsRequest(topics: ["post:1"])) {
///   print(event.type, event.counts)
/// }
/// ```
///
/// Reading throws ``APIError``.
public struct ServerStream<Message: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Message

  /// Reads the responses.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let nextMessage: () async throws -> Message?

    public mutating func next() async throws -> Message? { try await nextMessage() }
  }

  private let makeNext: @Sendable () -> () async throws -> Message?

  /// Creates a stream from other messages, for implementations of a service's protocol and for fakes.
  public init<Messages: AsyncSequence & Sendable>(_ messages: Messages) where Messages.Element == Message {
    makeNext = {
      var iterator = messages.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  /// Creates a stream that ends after these messages, for fakes.
  public init(_ messages: [Message]) {
    makeNext = {
      var rest = messages[...]
      return { rest.popFirst() }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextMessage: makeNext()) }
}
