public import NovaSupport

/// One event of a `text/event-stream` response, as WHATWG's standard has it.
public struct ServerSentEvent: Sendable, Hashable {
  /// What kind of event it is: the line `event:`; `message` without one.
  public var type: String
  /// The content: the lines `data:`, joined by line feeds.
  public var data: String
  /// The latest id that the server has sent, with this event or before; empty without one. A client that connects again
  /// sends it as `Last-Event-ID`.
  public var id: String
  /// The id that was sent with this event, even if it is that of the event before; nil without one.
  package var ownID: String?

  /// Creates an event.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
    ownID = id.isEmpty ? nil : id
  }

  /// Whether two events are the same to a client, whichever of them brought the id.
  public static func == (first: Self, second: Self) -> Bool {
    first.type == second.type && first.data == second.data && first.id == second.id
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(data)
    hasher.combine(id)
  }
}

/// What a `text/event-stream` response contains, in order.
public enum ServerSentEventItem: Sendable, Hashable {
  case event(ServerSentEvent)
  /// Another latest id, without an event.
  case id(String)
  /// How long to wait before connecting again, for this and every later connection.
  case retry(Duration)
  /// A comment, often empty. Servers send comments to show that the connection is alive.
  case comment(String)
}

/// Why a `text/event-stream` response cannot be read on.
public enum ServerSentEventError: NovaError, Hashable {
  /// An event or a line is larger than the limit, in bytes.
  case tooLarge(limit: Int)

  public var description: String {
    switch self {
    case .tooLarge(let limit): "server-sent event too large: more than \(limit) bytes"
    }
  }
}

/// The events of a `text/event-stream` body, read no faster than they are taken.
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

    /// Whether the body has ended inside an event, which is lost.
    package var hasLostEvent: Bool { parser.isInsideEvent }

    /// The next item; nil at the end of the body. An event that the body ends in is not complete, and left out.
    ///
    /// - Throws: ``ServerSentEventError``, and what reading the body throws.
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
  ///   - limit: the largest event, in bytes. Default 1 MiB.
  ///   - lastID: the id that holds until the server sends one. Default: none.
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
  /// Whether the response is a `text/event-stream`, whatever parameters its media type has.
  package var isEventStream: Bool { contentTypeName == "text/event-stream" }
}
