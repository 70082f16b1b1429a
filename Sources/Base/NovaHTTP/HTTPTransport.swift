/// Sends one HTTP request and returns the response.
///
/// The SDK needs nothing else from the network. `CurlTransport` connects to real servers; the mock backend and test
/// stubs respond in memory. Everything else (headers, tokens, retries, logging, decoding) is the same for all of them.
///
/// A transport:
/// - sends the request **once**: the client decides about retries;
/// - returns every complete response, whatever its status;
/// - throws ``TransportError`` if there is no complete response, and `CancellationError` promptly if the calling task
///   is cancelled;
/// - enforces ``HTTPRequest/limits``;
/// - returns the whole response in memory; or, if ``HTTPRequest/streamsResponse`` is set and it can, returns as soon as
///   the head has arrived, with a body that arrives no faster than it is read;
/// - reads the request's body, whichever ``HTTPBody`` it is, and a stream at most once;
/// - can be called from any number of tasks at once.
///
/// ```swift
/// struct Teapot: HTTPTransport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 418) }
/// }
/// ```
public protocol HTTPTransport: Sendable {
  /// Sends `request` and waits for the response, or for its head.
  ///
  /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse

  /// Releases all resources. Later requests fail. Default: does nothing.
  func shutdown() async
}

extension HTTPTransport {
  public func shutdown() async {}
}

/// A transport that can respond from a mock backend. It then sends nothing to the URL of a request.
package protocol MockingTransport: HTTPTransport {
  /// Whether a mock backend currently responds to requests.
  var isMock: Bool { get }
}
