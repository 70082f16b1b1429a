import NovaCore
import NovaSDK

/// Answers the requests of one connection from a mock backend.
struct MockExchange {
  let backend: MockBackend
  let logsRequests: Bool

  func serve(_ descriptor: Int32) {
    var connection = HTTPConnection(descriptor)
    do throws(RequestRefusal) {
      while let head = try connection.readHead() {
        let start = ContinuousClock.now
        let body = try connection.readBody(head)
        let response = body.map { respond(head, $0) } ?? Self.tooLarge
        connection.send(Self.encoded(response, to: head))
        if logsRequests { log(head, response.status, ContinuousClock.now - start) }
        if !head.keepsAlive { return connection.linger() }
      }
    } catch {
      connection.send(Self.encoded(Self.refusal(error.status, error.message), to: nil))
      if logsRequests { Diagnostics.write("(not a request) \(error.status): \(error.message)") }
      connection.linger()
    }
  }

  private func respond(_ head: RequestHead, _ body: [UInt8]) -> HTTPResponse {
    // What HEAD asks for is what GET would answer.
    let method = head.method == "HEAD" ? .get : HTTPMethod(rawValue: head.method)
    return backend.respond(to: HTTPRequest(method: method, url: head.target, headers: head.headers, body: body))
  }

  private static var tooLarge: HTTPResponse {
    refusal(413, "the body is larger than \(HTTPConnection.bodyLimit / 1_048_576) MiB")
  }

  /// A failure in grpc-gateway's shape; 3 is INVALID_ARGUMENT.
  private static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
    let body = JSONValue.object([
      .init(name: "code", value: .number("3")), .init(name: "message", value: .string(message)),
      .init(name: "details", value: .array([])),
    ])
    return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
  }

  /// The response as it travels, in one piece: a head that is sent alone would wait for its acknowledgement.
  private static func encoded(_ response: HTTPResponse, to head: RequestHead?) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(phrases[response.status] ?? "Status")\r\n"
    for field in response.headers { text += "\(field.name): \(field.value)\r\n" }
    if response.status != 204 { text += "Content-Length: \(response.body.count)\r\n" }
    if head?.keepsAlive != true { text += "Connection: close\r\n" }
    text += "\r\n"
    return head?.method == "HEAD" ? Array(text.utf8) : Array(text.utf8) + response.body
  }

  private static let phrases = [
    200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large",
    422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
  ]

  private func log(_ head: RequestHead, _ status: Int, _ duration: Duration) {
    Diagnostics.write("\(head.method) \(head.target.printable(to: 300)) \(status) \(duration.milliseconds) ms")
  }
}
