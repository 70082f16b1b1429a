import NovaCore

extension Fault {
  /// The connection is closed after half of the body that Content-Length promises.
  public static let truncatedBody = message(
    "truncated-body", "The connection is closed after half of the body that Content-Length promises."
  ) { exchange in
    try exchange.sendHalf()
    return .closed
  }

  /// The connection is closed before the last chunk of a chunked body.
  public static let truncatedChunks = message(
    "truncated-chunks", "The connection is closed before the last chunk of a chunked body."
  ) { exchange in
    let answer = exchange.answerWithBody
    let size = String(answer.body.inMemory.count, radix: 16)
    try exchange.connection.write(
      exchange.head(answer, ["Transfer-Encoding: chunked"]) + Array("\(size)\r\n".utf8) + answer.body.inMemory
        + Array("\r\n".utf8))
    return .closed
  }

  /// Content-Length is half of what the body has.
  public static let shortContentLength = message("short-content-length", "Content-Length is half of what the body has.")
  { exchange in
    try exchange.sendBody(contentLength: exchange.answerWithBody.body.inMemory.count / 2)
  }

  /// The response does not start with an HTTP status line.
  public static let garbageStatusLine = message(
    "garbage-status-line", "The response does not start with an HTTP status line."
  ) { exchange in
    try exchange.connection.write("SSH-2.0-Gateway_1.0\r\n\r\n")
    return .closed
  }

  /// The answer has 1 MiB of headers.
  public static let hugeHeaders = message("huge-headers", "The answer has 1 MiB of headers.") { exchange in
    var answer = exchange.answer
    let value = String(repeating: "x", count: 1000)
    for number in 1000..<2049 { answer.headers.append(name: "X-Padding-\(number)", value: value) }
    return try exchange.send(answer)
  }

  /// The answer has one header line of 1 MiB.
  public static let longHeaderLine = message("long-header-line", "The answer has one header line of 1 MiB.") {
    exchange in
    var answer = exchange.answer
    answer.headers.append(name: "X-Padding", value: String(repeating: "x", count: 1 << 20))
    return try exchange.send(answer)
  }

  /// The answer has 100,000 short header lines.
  public static let manyHeaders = message("many-headers", "The answer has 100,000 short header lines.") { exchange in
    try exchange.sendBody(after: Array(repeating: "X-Padding: x", count: 100_000))
  }

  /// The answer has one header of 1 MiB, folded over many lines.
  public static let foldedHeader = message(
    "folded-header", "The answer has one header of 1 MiB, folded over many lines."
  ) { exchange in
    let fold = "\r\n " + String(repeating: "x", count: 1000)
    return try exchange.sendBody(after: ["X-Padding: x" + String(repeating: fold, count: 1049)])
  }

  /// The answer is 200 with a web page, as captive portals and proxies send it.
  public static let html = message(
    "html", "The answer is 200 with a web page, as captive portals and proxies send it.", executes: false
  ) { exchange in
    let page = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Please log in.</body></html>"
    return try exchange.send(
      HTTPResponse(status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(page.utf8)))
  }

  /// The Content-Encoding is gzip, but the body is not.
  public static let brokenGzip = message("broken-gzip", "The Content-Encoding is gzip, but the body is not.") {
    exchange in
    var answer = exchange.answerWithBody
    answer.headers["Content-Encoding"] = "gzip"
    return try exchange.send(answer)
  }

  /// The Content-Encoding names a character set, as some servers and storages write it. Harmless.
  public static let mislabeledEncoding = message("mislabeled-encoding", "The Content-Encoding names a character set.") {
    exchange in
    var answer = exchange.answerWithBody
    answer.headers["Content-Encoding"] = "UTF-8"
    return try exchange.send(answer)
  }

  /// A small gzip body that inflates to a large one.
  ///
  /// - Parameter count: the bytes it has when inflated. Default 1 GiB, for which about 1 MiB is sent.
  public static func gzipBomb(inflatingTo count: Int = 1 << 30) -> Fault {
    message("gzip-bomb", "The gzip body inflates to a thousand times its size.") {
      exchange in
      var answer = exchange.answerWithBody
      answer.headers["Content-Encoding"] = "gzip"
      answer.body = .bytes(GzipBomb.bytes(inflatingTo: count))
      return try exchange.send(answer)
    }
  }

  /// The body never ends.
  public static let endlessBody = message("endless-body", "The body never ends.", isEndless: true) { exchange in
    let piece = Array(("4000\r\n" + String(repeating: " ", count: 0x4000) + "\r\n").utf8)
    try exchange.connection.write(exchange.head(exchange.answerWithBody, ["Transfer-Encoding: chunked"]))
    // Ends with a write error when the client disconnects or the server stops.
    while true { try exchange.connection.write(piece) }
  }

  /// The TLS port responds in plain text.
  public static let plainTextOnTLSPort = message(
    "plain-text-on-tls-port", "The TLS port responds in plain text.", executes: false, moment: .connected
  ) { exchange in
    // Real servers respond only after reading from the client.
    _ = exchange.connection.socket.read()
    try exchange.connection.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    return .closed
  }

  private static func message(
    _ name: String, _ summary: String, executes: Bool = true, isEndless: Bool = false, moment: Moment = .requested,
    script: @escaping Script
  ) -> Fault {
    Fault(
      name, summary, kind: .message, executes: executes, isEndless: isEndless, moment: moment, script: script)
  }

  static let messageFaults = [
    truncatedBody, truncatedChunks, shortContentLength, garbageStatusLine, hugeHeaders,
    longHeaderLine, manyHeaders, foldedHeader, html, brokenGzip, mislabeledEncoding, gzipBomb(),
    endlessBody, plainTextOnTLSPort,
  ]
}
