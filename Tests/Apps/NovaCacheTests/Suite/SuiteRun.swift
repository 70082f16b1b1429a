import NovaCache
import NovaCore
import NovaMedia
import NovaTesting

/// Runs a test of the suite: sends its requests through the middleware, and checks what the client and server received.
struct SuiteRun {
  /// An expectation that was not met.
  struct Failure: Error, CustomStringConvertible { let description: String }

  let test: SuiteTest
  let directory: String?

  /// Nil if the test passes.
  func failure() async -> String? {
    let clock = ManualClock()
    let origin = SuiteOrigin(test, clock: clock)
    let cache = HTTPCache(.init(memoryBytes: directory == nil ? 32 << 20 : 0, directory: directory), clock: clock)
    do {
      var responses: [HTTPResponse] = []
      for (index, step) in test.steps.enumerated() {
        let request = try request(step, index, previous: responses.last, at: Int64(clock.unixTime))
        let response = await send(request, through: cache, to: origin)
        responses.append(response)
        try check(response, of: step, at: index)
        await cache.waitUntilIdle()
        if step.pause == true { clock.advance(by: .seconds(3)) }
      }
      try checkRequests(origin.received, responses)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func send(_ request: HTTPRequest, through cache: HTTPCache, to origin: SuiteOrigin) async -> HTTPResponse {
    let context = CallContext(rpc: MediaRPC.getUpload.descriptor, requestID: "suite")
    do {
      var response = try await CacheMiddleware(cache).intercept(request, context) { try origin.respond($0) }
      response.body = try await response.body.collected(upTo: 1 << 20)
      return response
    } catch {
      // What a proxy would do with it, because the suite can only see responses.
      return HTTPResponse(status: 502)
    }
  }

  private func request(
    _ step: SuiteTest.Step, _ index: Int, previous: HTTPResponse?, at now: Int64
  ) throws -> HTTPRequest {
    var url = "http://suite.example/test/\(test.id.filter { $0 != "=" })"
    if let file = step.file { url += "/\(file)" }
    if let query = step.query { url += "?\(query)" }
    var request = HTTPRequest(method: .init(rawValue: step.method ?? "GET"), url: try HTTPURL(parsing: url))
    let serverNow = previous?.headers["Server-Now"].flatMap { Int64($0) } ?? now
    for field in step.request ?? [] {
      let value = field.text(at: step.magicDates == true ? serverNow : now, in: step)
      request.headers.append(name: field.name, value: value)
    }
    request.headers["Test-ID"] = test.id
    request.headers["Req-Num"] = String(index + 1)
    return request
  }

  private func require(_ condition: Bool, _ failure: @autoclosure () -> String) throws {
    if !condition { throw Failure(description: failure()) }
  }
}

// MARK: The client's side

extension SuiteRun {
  private func check(_ response: HTTPResponse, of step: SuiteTest.Step, at index: Int) throws {
    let number = index + 1
    let count = response.headers["Server-Request-Count"].flatMap { Int($0) }
    let numbers = (response.headers["Request-Numbers"] ?? "").split(separator: " ")
    try require(Set(numbers).count == numbers.count, "request sent twice")
    if step.expectedType == "cached", !(response.status == 304 && count == nil) {
      try require((count ?? .max) < number, "response \(number) does not come from the cache")
    }
    if step.expectedType == "not_cached" {
      try require(count == number, "response \(number) comes from the cache")
    }
    if step.anyStatus != true {
      let expected = step.expectedStatus ?? step.status ?? 200
      try require(response.status == expected, "response \(number) has status \(response.status), not \(expected)")
    }
    try checkHeaders(response, of: step, number: number)
    try checkBody(response, of: step, number: number)
  }

  private func checkHeaders(_ response: HTTPResponse, of step: SuiteTest.Step, number: Int) throws {
    let now = response.headers["Server-Now"].flatMap { Int64($0) } ?? 0
    for field in step.expectedResponse ?? [] {
      let actual = response.headers.joined(field.name)
      try require(actual != nil, "response \(number) has no \(field.name)")
      guard field.value != nil else { continue }
      switch (field.text(at: now, in: step), field.operand) {
      case (">", .seconds(let least)?):
        try require((actual.flatMap { Int($0) } ?? 0) > least, "response \(number): \(field.name) is \(actual ?? "")")
      case ("=", .text(let other)?):
        try require(actual == response.headers.joined(other), "response \(number): \(field.name) is not \(other)")
      case (let expected, _):
        try require(actual == expected, "response \(number): \(field.name) is \(actual ?? ""), not \(expected)")
      }
    }
    for field in step.missingResponse ?? [] where field.value == nil {
      try require(response.headers[field.name] == nil, "response \(number) has \(field.name)")
    }
  }

  private func checkBody(_ response: HTTPResponse, of step: SuiteTest.Step, number: Int) throws {
    let isWithoutBody = [204, 304].contains(response.status) || step.method == "HEAD"
    guard step.ignoresBody != true else { return }
    guard let expected = step.expectedText ?? step.content ?? (isWithoutBody ? nil : SuiteOrigin.content) else {
      return
    }
    let body = String(decoding: response.body.bytes ?? [], as: UTF8.self)
    try require(body == expected, "response \(number) has the body \(body), not \(expected)")
  }
}

// MARK: The server's side

extension SuiteRun {
  private func checkRequests(_ received: [SuiteOrigin.Received], _ responses: [HTTPResponse]) throws {
    var next = 0
    for (index, step) in test.steps.enumerated() {
      let number = index + 1
      if step.expectedType == "cached" { continue }
      let request = next < received.count ? received[next] : nil
      next += 1
      if step.expectedType == "not_cached" {
        try require(request?.step == index, "response \(number) comes from the cache")
      }
      for (type, name) in [("etag_validated", "If-None-Match"), ("lm_validated", "If-Modified-Since")]
      where step.expectedType == type {
        try require(request?.request.headers[name] != nil, "request \(number) has no \(name)")
      }
      try checkRequest(request, of: step, number: number)
      for field in request?.checked ?? [:] where !field.name.equalsIgnoringASCIICase("Date") {
        let actual = responses[index].headers.joined(field.name)
        let expected = request?.checked.joined(field.name)
        try require(
          actual == expected, "response \(number): \(field.name) is \(actual ?? "nil"), not \(expected ?? "nil")")
      }
    }
  }

  private func checkRequest(_ received: SuiteOrigin.Received?, of step: SuiteTest.Step, number: Int) throws {
    let headers = received?.request.headers
    for field in step.expectedRequest ?? [] {
      let actual = headers?.joined(field.name)
      try require(actual != nil, "request \(number) has no \(field.name)")
      guard field.value != nil else { continue }
      let expected = field.text(at: 0, in: step)
      try require(actual == expected, "request \(number): \(field.name) is \(actual ?? ""), not \(expected)")
    }
    for field in step.missingRequest ?? [] {
      let actual = headers?.joined(field.name)
      let isThere = field.value == nil ? actual != nil : actual == field.text(at: 0, in: step)
      try require(!isThere, "request \(number) has \(field.name)")
    }
    if let method = step.expectedMethod {
      try require(received?.request.method.rawValue == method, "request \(number) was not \(method)")
    }
  }
}

extension HTTPHeaders {
  fileprivate func joined(_ name: String) -> String? {
    let values = values(for: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
