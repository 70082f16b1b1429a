public import NovaCore

/// A server refused the handshake with an ordinary response, for example 401, 403, or 429 with `Retry-After`. Redirects
/// are not followed, because the token is meant for the given origin.
public struct WebSocketRefusal: NovaError {
  /// The response, with at most 64 KiB of its body.
  public let response: HTTPResponse

  /// Creates a refusal.
  public init(response: HTTPResponse) { self.response = response }

  public var description: String { "the server refused the WebSocket connection: HTTP \(response.status)" }
}
