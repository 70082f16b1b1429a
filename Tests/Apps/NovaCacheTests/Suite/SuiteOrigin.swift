import NovaCore
import NovaTesting

/// The suite's server: responds to each request as its test specifies, and records the requests.
final class SuiteOrigin: Sendable {
  /// A request that arrived.
  struct Received: Sendable {
    let step: Int
    let request: HTTPRequest
    /// The fields that the client must see.
    let checked: HTTPHeaders
  }

  private struct State {
    var received: [Received] = []
    /// The fields of each step as they were sent, with their dates.
    var sent: [Int: HTTPHeaders] = [:]
  }

  static let content = "01234567-89ab-4cde-8f01-23456789abcd"

  private let test: SuiteTest
  private let clock: ManualClock
  private let state = Locked(State())

  init(_ test: SuiteTest, clock: ManualClock) {
    self.test = test
    self.clock = clock
  }

  var received: [Received] { state.withLock { $0.received } }

  func respond(_ request: HTTPRequest) throws -> HTTPResponse {
    let index = (request.headers["Req-Num"].flatMap { Int($0) } ?? 1) - 1
    let step = test.steps[index]
    if let delay = step.delay { clock.advance(by: .seconds(delay)) }
    let status = self.status(of: step, at: index, for: request)
    let (headers, checked) = headers(step, request)
    let numbers = state.withLock { state in
      state.received.append(Received(step: index, request: request, checked: checked))
      state.sent[index] = headers
      return state.received.map { String($0.step + 1) }
    }
    if step.disconnect == true {
      throw TransportError(.connectionLost, "the suite closed the connection", requestMayHaveLeft: true)
    }
    var response = HTTPResponse(status: status, headers: headers)
    response.headers["Server-Request-Count"] = String(numbers.count)
    response.headers["Client-Request-Count"] = String(index + 1)
    response.headers["Request-Numbers"] = numbers.joined(separator: " ")
    if response.headers["Content-Type"] == nil { response.headers["Content-Type"] = "text/plain" }
    if response.headers["Date"] == nil { response.headers["Date"] = HTTPDate.text(Int64(clock.unixTime)) }
    if status != 204, status != 304, request.method != .head {
      var body = Array((step.content ?? Self.content).utf8)
      // What a client reads of a body that exceeds its announced length.
      if let length = response.headers["Content-Length"].flatMap({ Int($0) }) { body = Array(body.prefix(length)) }
      response.headers["Content-Length"] = String(body.count)
      response.body = .bytes(body)
    }
    return response
  }

  /// 304 if the request has the validators of the previous step; 999 if it was expected to have them, but does not.
  private func status(of step: SuiteTest.Step, at index: Int, for request: HTTPRequest) -> Int {
    guard step.expectedType?.hasSuffix("validated") == true else { return step.status ?? 200 }
    let previous = state.withLock { $0.sent[index - 1] } ?? headers(test.steps[index - 1], request).all
    for (validator, condition) in [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")] {
      if let value = previous[validator], request.headers[condition] == value { return 304 }
    }
    return 999
  }

  private func headers(_ step: SuiteTest.Step, _ request: HTTPRequest) -> (all: HTTPHeaders, checked: HTTPHeaders) {
    let now = Int64(clock.unixTime)
    var all: HTTPHeaders = [
      "Server-Base-Url": request.url.path + (request.url.query.map { "?\($0)" } ?? ""), "Server-Now": String(now),
    ]
    var names: [String] = []
    for field in step.response ?? [] {
      var value = field.text(at: now, in: step)
      if step.magicLocations == true, ["location", "content-location"].contains(field.name.lowercased()) {
        value = (all["Server-Base-Url"] ?? "") + (value.isEmpty ? "" : "/\(value)")
      }
      all.append(name: field.name, value: value)
      if field.isChecked { names.append(field.name.lowercased()) }
    }
    return (all, HTTPHeaders(all.filter { names.contains($0.name.lowercased()) }))
  }
}

extension SuiteTest.Field {
  /// The value. In date fields, a number means that many seconds from now.
  func text(at now: Int64, in step: SuiteTest.Step) -> String {
    switch value {
    case .text(let text)?: return text
    case .seconds(let seconds)?:
      let isDate = ["date", "expires", "last-modified", "if-modified-since", "if-unmodified-since"]
        .contains(name.lowercased())
      guard isDate else { return String(seconds) }
      let text = HTTPDate.text(now + Int64(seconds))
      return step.rfc850?.contains(name.lowercased()) == true ? Self.rfc850(text) : text
    case nil: return ""
    }
  }

  /// Converts `Sun, 06 Nov 1994 08:49:37 GMT` to `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ text: String) -> String {
    let days = [
      "Sun": "Sunday", "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday",
      "Fri": "Friday", "Sat": "Saturday",
    ]
    let words = text.split(separator: " ").map(String.init)
    return "\(days[String(words[0].prefix(3))] ?? ""), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
  }
}
