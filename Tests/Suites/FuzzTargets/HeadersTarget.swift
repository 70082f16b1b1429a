@testable import NovaCore
@testable import NovaHTTP
@testable import NovaSupport

/// Lines are `name: value`. As headers of a request they never become more lines than there are fields, and as the head of
/// a response they are what was sent.
enum HeadersTarget {
  static func check(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    checkRequest(lines)
    checkResponse(lines)
    for line in lines { checkDate(String(decoding: line, as: UTF8.self)) }
  }

  private static func checkRequest(_ lines: [[UInt8]]) {
    let fields = lines.map { line in
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? Array(parts[1]) : []
      return HTTPHeaders.Field(
        name: String(decoding: parts.first ?? [], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }
    guard let sent = try? HeaderLines(HTTPHeaders(fields), userAgent: "fuzz", body: .bytes([1, 2, 3])) else { return }
    let written = sent.bytes.split(separator: 0).map(Array.init)
    require(written.count == sent.count && sent.bytes.last == 0, "\(sent.count) lines, but \(written.count) are there")
    require(
      !sent.bytes.contains(UInt8(ascii: "\r")) && !sent.bytes.contains(UInt8(ascii: "\n")), "a line break is sent")
    // As libcurl sends them, and as the SDK reads a head: the same fields come back.
    var head = ResponseHead()
    receive("HTTP/1.1 200 OK\r\n", by: &head)
    for field in fields { receive("\(field.name):\(field.value)\r\n", by: &head) }
    receive("\r\n", by: &head)
    let received = head.headers().fields
    require(received.map(\.name) == fields.map(\.name), "other names come back: \(received)")
    for (one, other) in zip(received, fields) {
      require(one.value == trimmed(other.value), "the value of \(one.name) is another one when it has been sent")
    }
  }

  private static func checkResponse(_ lines: [[UInt8]]) {
    var head = ResponseHead()
    receive("HTTP/2 200\r\n", by: &head)
    for line in lines { receive(line + [UInt8(ascii: "\n")], by: &head) }
    let size = lines.reduce(12) { $0 + $1.count + 1 }
    require(head.receivedBytes == size, "\(head.receivedBytes) of \(size) bytes are counted")
    let headers = head.headers()
    for field in headers {
      let isClean = !field.name.utf8.contains(UInt8(ascii: "\n")) && !field.value.utf8.contains(UInt8(ascii: "\n"))
      require(isClean, "a header has a line feed: \(field)")
    }
    guard let wait = RetryAfter.wait(headers, unixTime: 1_764_583_200) else { return }
    require(wait >= .zero && wait <= .seconds(366 * 86_400), "Retry-After is \(wait)")
  }

  private static func checkDate(_ text: String) {
    guard let seconds = HTTPDate.seconds(text) else { return }
    require(HTTPDate.seconds(HTTPDate.text(seconds)) == seconds, "\(text) is another time when it has been written")
  }

  private static func receive(_ line: String, by head: inout ResponseHead) { receive(Array(line.utf8), by: &head) }

  private static func receive(_ line: [UInt8], by head: inout ResponseHead) {
    line.withUnsafeBytes { head.receive($0) }
  }

  private static func trimmed(_ text: String) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = text.utf8.drop(while: isSpace)
    return String(decoding: start.reversed().drop(while: isSpace).reversed(), as: UTF8.self)
  }
}
