public import NovaSupport

/// One event of a `text/event-stream` response, by WHATWG's standard.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event: the line `event:`; `message` if absent.
  public var type: String
  /// The content: the lines `data:`, joined by line feeds.
  public var data: String
  /// The latest ID from the server, sent with this event or earlier; empty if it sent none. A client that reconnects
  /// sends it as `Last-Event-ID`.
  public var id: String
  /// The ID that was sent with this event, even if it repeats the previous one; nil if absent.
  package var ownID: String?

  /// Creates an event.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
    ownID = id.isEmpty ? nil : id
  }

  /// Whether two events are equal to a client, regardless of which one carried the ID.
  public static func == (first: Self, second: Self) -> Bool {
    first.type == second.type && first.data == second.data && first.id == second.id
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(data)
    hasher.combine(id)
  }
}

/// An item of a `text/event-stream` response.
public enum ServerSentEventItem: Sendable, Hashable {
  case event(ServerSentEvent)
  /// A new latest ID, without an event.
  case id(String)
  /// How long to wait before reconnecting, for this and all later connections.
  case retry(Duration)
  /// A comment, often empty. Servers send comments to show that the connection is alive.
  case comment(String)
}

/// The reason why a `text/event-stream` response cannot be read further.
public enum ServerSentEventError: NovaError, Hashable {
  /// An event or a line exceeds the limit, in bytes.
  case tooLarge(limit: Int)

  public var description: String {
    switch self {
    case .tooLarge(let limit): "server-sent event too large: more than \(limit) bytes"
    }
  }
}

/// The events of a `text/event-stream` body, read no faster than they are consumed.
///
/// ```swift
/// for try await item in ServerSentEvents(response.body) {
///   if case .event(let event) = item { print(event.type, event.data) }
/// }
/// ```
public struct ServerSentEvents: AsyncSequence, Sendable {
  /// Reads the items of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: HTTPBody.AsyncIterator
    fileprivate var parser: ServerSentEventParser
    fileprivate var items: ArraySlice<ServerSentEventItem> = []

    /// Whether the body ended inside an event, which is lost.
    package var hasLostEvent: Bool { parser.isInsideEvent }

    /// The next item; nil at the end of the body. An incomplete event at the end is dropped.
    ///
    /// - Throws: ``ServerSentEventError``, and any error of reading the body.
    public mutating func next() async throws -> ServerSentEventItem? {
      while true {
        if let item = items.popFirst() { return item }
        if let failure = parser.failure { throw failure }
        guard let chunk = try await chunks.next() else { return nil }
        items = try parser.parse(chunk)[...]
      }
    }
  }

  private let body: HTTPBody
  private let limit: Int
  private let lastID: String

  /// Creates the events of a body.
  ///
  /// - Parameters:
  ///   - limit: the maximum size of an event, in bytes. Default 1 MiB.
  ///   - lastID: the latest ID, until the server sends one. Default: none.
  public init(_ body: HTTPBody, limit: Int = ServerSentEventParser.defaultLimit, lastID: String = "") {
    self.body = body
    self.limit = limit
    self.lastID = lastID
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), parser: ServerSentEventParser(limit: limit, lastID: lastID))
  }
}

extension HTTPHeaders {
  /// Whether the response is a `text/event-stream`, regardless of its parameters.
  package var isEventStream: Bool { contentTypeName == "text/event-stream" }
}
