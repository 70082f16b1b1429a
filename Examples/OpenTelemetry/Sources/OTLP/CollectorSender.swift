import NovaSDK

/// Sends requests to a collector, with the retries that OTLP describes.
///
/// It uses the SDK's transport, without its client: exports are no calls, and make no spans of their own.
struct CollectorSender: Sendable {
  private let options: ExportOptions
  private let transport = CurlTransport()
  private static let maximumAttempts = 4

  init(_ options: ExportOptions) { self.options = options }

  /// The collector has not taken a request.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends a message, and returns how many of its items the collector refused; nil if none.
  func send(_ body: [UInt8], to path: String) async throws -> String? {
    let clock = ContinuousClock()
    let deadline = clock.now + options.timeout
    var request = HTTPRequest(method: .post, url: try HTTPURL(parsing: options.endpoint + path), body: body)
    for (name, value) in options.headers { request.headers.append(name: name, value: value) }
    request.headers["Content-Type"] = "application/json"
    for attempt in 1... {
      request.limits.totalTimeout = max(.milliseconds(1), clock.now.duration(to: deadline))
      let (failure, pause): (Failure, Duration?)
      switch await Self.result(of: { try await transport.send(request) }) {
      case .success(let response) where response.status == 200: return Self.refused(response)
      case .success(let response):
        failure = Failure(description: "the collector responded with status \(response.status)")
        // The statuses that OTLP lets clients retry. With any other, the request itself is wrong.
        guard [429, 502, 503, 504].contains(response.status) else { throw failure }
        pause = response.headers["Retry-After"].flatMap { UInt32($0) }.map { .seconds($0) }
      case .failure(let error as TransportError): (failure, pause) = (Failure(description: "\(error)"), nil)
      case .failure(let error): throw error
      }
      let wait = pause ?? .milliseconds(250 << attempt) * Double.random(in: 0.5...1)
      guard attempt < Self.maximumAttempts, clock.now + wait < deadline else { throw failure }
      try await Task.sleep(for: wait)
    }
    preconditionFailure("attempts end with a return or an error")
  }

  private static func result(
    of send: () async throws -> HTTPResponse
  ) async -> Result<HTTPResponse, any Error> {
    do { return .success(try await send()) } catch { return .failure(error) }
  }

  func shutdown() async { await transport.shutdown() }

  /// The number in `partialSuccess`. Its message is left out: it is a text of a server.
  private static func refused(_ response: HTTPResponse) -> String? {
    guard let bytes = response.body.bytes, let part = (try? JSONValue(jsonUTF8: bytes))?["partialSuccess"],
      let count = part["rejectedSpans"] ?? part["rejectedDataPoints"]
    else { return nil }
    let text = count.stringValue ?? count.integerValue.map(String.init) ?? "0"
    return text == "0" ? nil : text
  }
}
