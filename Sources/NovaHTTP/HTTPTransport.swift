/// Sends one HTTP request and returns the response.
///
/// This is all that the SDK needs of the network. `CurlTransport` connects to real servers; the mock backend and test stubs
/// answer in memory. Everything else (headers, tokens, retries, logging, decoding) is the same for all of them.
///
/// A transport:
/// - sends the request **once**: the client decides about retries;
/// - returns every complete response, whatever its status;
/// - throws ``TransportError`` when there is no complete response, and `CancellationError` promptly when the calling
///   task is cancelled;
/// - keeps to ``HTTPRequest/limits``;
/// - returns the whole response in memory, or, if ``HTTPRequest/streamsResponse`` is set and it can, as soon as the head is
///   there, with a body that arrives no faster than it is read;
/// - reads the request's body, whichever ``HTTPBody`` it is, and a stream at most once;
/// - may be called from any number of tasks at once.
///
/// ```swift
/// struct Teapot: HTTPTransport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 418) }
/// }
/// ```
public protocol HTTPTransport: Sendable {
  /// Sends `request` and waits for the response, or for its head.
  ///
  /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse

  /// Releases all resources; requests sent afterwards fail. Default: does nothing.
  func shutdown() async
}

extension HTTPTransport {
  public func shutdown() async {}
}

/// A transport that can answer from a mock backend, and then sends nothing to the URL of a request.
package protocol MockingTransport: HTTPTransport {
  /// Whether a mock backend answers requests now.
  var isMock: Bool { get }
}
