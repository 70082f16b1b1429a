public import NovaCore

/// A request, and what a gateway answers to it.
///
/// Secrets are placeholders, `{{secret:1}}` and so on; the same one stands for the same secret throughout one call of
/// ``all(of:now:)``. There are no headers that differ from run to run, such as `X-Request-ID`.
public struct FixtureExchange: Sendable, Hashable {
  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// What is special about the request: `limit 2, offset 1`. No other exchange of the RPC is called so.
  public let name: String
  /// The request, to a gateway on this machine's port 8080.
  public let request: HTTPRequest
  /// The answer.
  public let response: HTTPResponse

  /// Creates an exchange.
  public init(rpc: String, name: String, request: HTTPRequest, response: HTTPResponse) {
    self.rpc = rpc
    self.name = name
    self.request = request
    self.response = response
  }

  /// Where requests go.
  static let baseURL: HTTPURL = "http://localhost:8080"

  /// Where on the gateway the request goes: path and query.
  var target: String {
    request.url.origin == Self.baseURL.origin ? request.url.target : request.url.text
  }

  /// Headers that say nothing about what is asked and answered.
  static let leftOut = ["X-Request-ID", "Idempotency-Key", "Idempotency-Replayed"]
}

/// Why there are no exchanges.
public struct FixtureExchangeError: NovaError, Hashable {
  /// What is missing, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
