public import NovaCore

/// Recorded requests and their responses, with secrets replaced by placeholders.
///
/// ```swift
/// let cassette = try Cassette(path: "Fixtures/followers.jsonl")
/// let transport = ReplayTransport(cassette)
/// ```
///
/// A file has one JSON object on each line: first the header, `{"nova_cassette":1,…}`, then one for each interaction. A
/// recording that was killed can end in the middle of a line; the complete lines are read.
public struct Cassette: Sendable, Hashable {
  /// The version of the form that is written, and the newest that is read.
  public static let version = 1

  /// When the recording began, in Unix seconds.
  public var createdAt: Int64
  /// What was recorded, in the order in which it ended.
  public var interactions: [Interaction]
  /// Whether the file ended in the middle of a line.
  public var isTruncated: Bool

  /// Creates a cassette.
  public init(createdAt: Int64 = 0, interactions: [Interaction] = [], isTruncated: Bool = false) {
    self.createdAt = createdAt
    self.interactions = interactions
    self.isTruncated = isTruncated
  }

  /// One request and what came of it.
  public struct Interaction: Sendable, Hashable {
    /// The RPC: `graph.GetFollowers`; nil for bytes on their way to a storage, and for what is no call.
    public var rpc: String?
    /// When it began, in Unix seconds.
    public var startedAt: Double
    /// How long it took.
    public var duration: Duration
    /// What was sent.
    public var request: Request
    /// What came of it.
    public var outcome: Outcome
  }

  /// A recorded request.
  public struct Request: Sendable, Hashable {
    /// The verb.
    public var method: HTTPMethod
    /// Scheme, host and port. Replaying does not look at it.
    public var origin: String
    /// The path, as it travelled.
    public var path: String
    /// The query, as it travelled, without the question mark; empty for none.
    public var query: String
    /// The headers, secrets masked. Replaying does not look at them.
    public var headers: HTTPHeaders
    var content: RecordedBody
    /// The body.
    public var body: [UInt8] { content.bytes }
  }

  /// What came of a request.
  public enum Outcome: Sendable, Hashable {
    /// A response, secrets masked.
    case response(HTTPResponse)
    /// No response, for this reason.
    case failure(TransportError)
  }
}

extension Cassette.Interaction {
  /// An interaction that is known from elsewhere and has no secrets.
  ///
  /// - Parameters:
  ///   - rpc: `graph.GetFollowers`.
  ///   - request: what was sent.
  ///   - response: what came of it.
  ///   - startedAt: when, in Unix seconds.
  package init(rpc: String, _ request: HTTPRequest, _ response: HTTPResponse, startedAt: Double) {
    self.init(
      rpc: rpc, startedAt: startedAt, duration: .zero,
      request: Cassette.Request(
        method: request.method, origin: request.url.origin.text, path: request.url.path, query: request.url.query ?? "",
        headers: request.headers, content: RecordedBody(request.body.inMemory)),
      outcome: .response(response))
  }
}

extension Cassette.Request {
  /// The URL that it went to.
  package var url: String { origin + target }

  /// Path and query.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

/// Why a cassette cannot be read or written.
public struct CassetteError: NovaError, Hashable {
  /// What happened, where, and what to do next.
  public let description: String

  init(_ description: String) { self.description = description }
}
