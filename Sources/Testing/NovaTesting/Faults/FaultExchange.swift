import NovaCore

/// The context of a fault: the connection, the request, and the response without the fault.
struct FaultExchange {
  let connection: RawConnection
  /// The request; nil if none was read.
  let request: HTTPRequest?
  /// The response without the fault.
  let answer: HTTPResponse
  /// The time of day in seconds since 1970.
  let now: Double
  /// The origins of this server and of the other server.
  let origin: String
  let otherOrigin: String

  /// Writes a complete answer.
  func send(_ response: HTTPResponse) throws -> Fault.Ending {
    let isBodiless = response.status == 204 || request?.method == .head
    let lines = response.status == 204 ? [] : ["Content-Length: \(response.body.inMemory.count)"]
    try connection.write(head(response, lines) + (isBodiless ? [] : response.body.inMemory))
    return .open
  }

  /// Redirects to a location.
  func redirect(_ status: Int, to location: String) throws -> Fault.Ending {
    try send(HTTPResponse(status: status, headers: ["Location": location]))
  }

  /// Sends the whole body after a head with additional lines, and closes the connection.
  func sendBody(after lines: [String] = [], contentLength: Int? = nil) throws -> Fault.Ending {
    let answer = answerWithBody
    let length = "Content-Length: \(contentLength ?? answer.body.inMemory.count)"
    try connection.write(head(answer, lines + [length]) + answer.body.inMemory)
    return .closed
  }

  /// Resets the connection.
  func reset() -> Fault.Ending {
    connection.reset()
    return .closed
  }

  /// Sends the head for the complete body, and half of the body.
  func sendHalf() throws {
    let answer = answerWithBody
    let half = answer.body.inMemory.prefix(answer.body.inMemory.count / 2)
    try connection.write(head(answer, ["Content-Length: \(answer.body.inMemory.count)"]) + half)
  }

  /// Returns the head of a response with the given framing lines.
  func head(_ response: HTTPResponse, _ framing: [String]) -> [UInt8] {
    let fields = response.headers.filter { !$0.name.equalsIgnoringASCIICase("Content-Length") }
    let lines = ["HTTP/1.1 \(response.status) \(Self.phrase(response.status))"]
    let all = lines + fields.map { "\($0.name): \($0.value)" } + framing
    return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The response with a body of at least two bytes.
  var answerWithBody: HTTPResponse {
    var answer = answer
    if answer.status == 204 { answer.status = 200 }
    if answer.body.inMemory.count < 2 { answer.body = .bytes(Array("{}".utf8)) }
    return answer
  }

  private static func phrase(_ status: Int) -> String {
    let phrases = [
      200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 409: "Conflict",
      429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
      504: "Gateway Timeout",
    ]
    return phrases[status] ?? "Status"
  }
}
