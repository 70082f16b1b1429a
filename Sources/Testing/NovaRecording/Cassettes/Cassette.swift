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
  /// The version of the format for writing, and the newest supported version for reading.
  public static let version = 1

  /// The start of the recording in Unix seconds.
  public var createdAt: Int64
  /// The interactions, in the order of completion.
  public var interactions: [Interaction]
  /// Whether the file ended in the middle of a line.
  public var isTruncated: Bool

  /// Creates a cassette.
  public init(createdAt: Int64 = 0, interactions: [Interaction] = [], isTruncated: Bool = false) {
    self.createdAt = createdAt
    self.interactions = interactions
    self.isTruncated = isTruncated
  }

  /// A request with its outcome.
  public struct Interaction: Sendable, Hashable {
    /// The RPC: `graph.GetFollowers`; nil for uploaded bytes and other requests.
    public var rpc: String?
    /// The start of the request in Unix seconds.
    public var startedAt: Double
    /// The duration.
    public var duration: Duration
    /// The request.
    public var request: Request
    /// The outcome.
    public var outcome: Outcome
    /// The error that ended the response's body early; nil for a whole body.
    public var bodyFailure: TransportError?
  }

  /// A recorded request.
  public struct Request: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// Scheme, host, and port. Replaying ignores it.
    public var origin: String
    /// The percent-encoded path.
    public var path: String
    /// The percent-encoded query without the question mark; empty for none.
    public var query: String
    /// The headers, secrets masked. Replaying ignores them.
    public var headers: HTTPHeaders
    var content: RecordedBody
    /// The body.
    public var body: [UInt8] { content.bytes }
  }

  /// The outcome of a request.
  public enum Outcome: Sendable, Hashable {
    /// A response, secrets masked.
    case response(HTTPResponse)
    /// An error instead of a response.
    case failure(TransportError)
  }
}

extension Cassette.Interaction {
  /// Creates an interaction without secrets.
  ///
  /// - Parameters:
  ///   - rpc: `graph.GetFollowers`.
  ///   - request: the request.
  ///   - response: the response.
  ///   - startedAt: the start of the request in Unix seconds.
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
  /// The URL of the request.
  package var url: String { origin + target }

  /// The path and query of the request.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

extension Timestamp {
  /// The times that a timestamp can have, in Unix seconds.
  static let validTimes = Double(validSeconds.lowerBound)...Double(validSeconds.upperBound)
}

/// An error while reading or writing a cassette.
public struct CassetteError: NovaError, Hashable {
  /// The problem, where it occurred, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
