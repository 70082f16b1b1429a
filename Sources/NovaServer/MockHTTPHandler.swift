import FlyingFox
import FoundationEssentials
import NovaCore
import NovaMock

/// Answers HTTP requests from a mock backend.
struct MockHTTPHandler: HTTPHandler {
  /// The largest body of a request.
  static let bodyLimit = 8 * 1024 * 1024

  /// More than the longest latency, and less than the 15 s that FlyingFox gives a handler.
  private static let limits = TransferLimits(idleTimeout: .seconds(12), totalTimeout: .seconds(12))

  let backend: MockBackend
  /// Nil when there is none.
  let admin: AdminAPI?
  let log: (@Sendable (String) -> Void)?

  func handleRequest(_ request: FlyingFox.HTTPRequest) async throws -> FlyingFox.HTTPResponse {
    let start = ContinuousClock.now
    let response: NovaCore.HTTPResponse
    do {
      response = try await answer(request)
    } catch let error as TransportError {
      log(request, "no answer", since: start)
      let isHanging = error.kind != .connectionLost
      return UnansweredRequest.response(wait: isHanging ? UnansweredRequest.longestWait : .zero)
    }
    log(request, String(response.status), since: start)
    return Self.converted(response, withBody: request.method != .HEAD)
  }

  private func log(_ request: FlyingFox.HTTPRequest, _ result: String, since start: ContinuousClock.Instant) {
    guard let log else { return }
    let duration = (ContinuousClock.now - start).milliseconds
    log("\(request.method.rawValue) \(request.target.rawValue.printable(to: 300)) \(result) \(duration) ms")
  }

  private func answer(_ request: FlyingFox.HTTPRequest) async throws -> NovaCore.HTTPResponse {
    guard let body = try await readBody(request) else { return Self.tooLarge }
    var headers = NovaCore.HTTPHeaders()
    for (header, value) in request.headers { headers.append(name: header.rawValue, value: value) }
    // What HEAD asks for is what GET would answer.
    let method = request.method == .HEAD ? .get : NovaCore.HTTPMethod(rawValue: request.method.rawValue)
    let converted = NovaCore.HTTPRequest(
      method: method, url: request.target.rawValue, headers: headers, body: body, limits: Self.limits)
    if let admin, AdminAPI.isAdmin(converted.url) { return await admin.respond(to: converted) }
    return try await backend.answer(converted)
  }

  /// The body, or nil when it is larger than the limit. It is read to its end either way, because a client that is still
  /// sending would not see the answer.
  private func readBody(_ request: FlyingFox.HTTPRequest) async throws -> [UInt8]? {
    var body: [UInt8] = []
    var size = 0
    for try await part in request.bodySequence {
      size += part.count
      if size <= Self.bodyLimit { body.append(contentsOf: part) } else { body = [] }
    }
    return size <= Self.bodyLimit ? body : nil
  }

  /// In grpc-gateway's shape; 3 is INVALID_ARGUMENT, because trying again will not help.
  private static var tooLarge: NovaCore.HTTPResponse {
    let text = #"{"code":3,"message":"the body is larger than \#(bodyLimit >> 20) MiB","details":[]}"#
    return NovaCore.HTTPResponse(status: 413, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
  }

  private static func converted(
    _ response: NovaCore.HTTPResponse, withBody: Bool
  ) -> FlyingFox.HTTPResponse {
    var headers = FlyingFox.HTTPHeaders()
    for field in response.headers { headers.addValue(field.value, for: HTTPHeader(field.name)) }
    headers[.contentLength] = response.status == 204 ? nil : String(response.body.count)
    return FlyingFox.HTTPResponse(
      statusCode: HTTPStatusCode(response.status, phrase: phrases[response.status] ?? "Status"), headers: headers,
      body: withBody ? Data(response.body) : Data())
  }

  private static let phrases = [
    200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large",
    422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
