/// Carries one HTTP request to a server and brings the response back.
///
/// This is the only thing the SDK needs from the network. `CurlTransport` speaks to real servers, the mock backend and
/// test stubs answer in memory; everything else (headers, identity, logging, decoding) happens above and is the same
/// for all of them.
///
/// A transport:
/// - sends the request **once**: retrying is decided above it, where the effect of the call is known;
/// - returns every complete response, whatever its status;
/// - throws ``TransportError`` when there is no complete response, and `CancellationError` promptly when the calling
///   task is cancelled;
/// - keeps to ``HTTPRequest/limits``;
/// - may be called from any number of tasks at once.
///
/// ```swift
/// struct Teapot: HTTPTransport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 418) }
/// }
/// ```
public protocol HTTPTransport: Sendable {
  /// Sends `request` and waits for the whole response.
  ///
  /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse

  /// Lets go of everything; requests sent afterwards fail. Default: nothing, for transports that hold nothing.
  func shutdown() async
}

extension HTTPTransport {
  public func shutdown() async {}
}
