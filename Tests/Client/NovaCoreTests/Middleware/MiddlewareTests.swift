import Logging
import NovaAuth
import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@Suite struct MiddlewareTests {
  private struct Mark: Middleware {
    let name: String
    let trace: Locked<[String]>

    func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
      trace.withLock { $0.append("\(name) in \(context.rpc.id)") }
      defer { trace.withLock { $0.append("\(name) out") } }
      return try await next(request)
    }
  }

  @Test func middlewaresNestInOrder() async throws {
    let trace = Locked<[String]>([])
    let client = try APIClient.test(
      RecordingTransport("{}"), middlewares: [Mark(name: "a", trace: trace), Mark(name: "b", trace: trace)])
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    #expect(trace.withLock { $0 } == ["a in graph.IsMuted", "b in graph.IsMuted", "b out", "a out"])
  }

  @Test func theTokenTravelsWithRPCsThatNeedOne() async throws {
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, baseURL: "https://api.nova.social")
    client.setAuthToken(try AccessToken("secret-token"))
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    _ = try await client.call(AuthRPC.login, LoginRequest(email: "a@b.c", password: "p"))
    client.setAuthToken(nil as AccessToken?)
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer secret-token", nil, nil])
  }

  @Test(arguments: ["", "two words", "Bearer canary", "canary\r\nX-Evil: 1", "canaryé"])
  func textThatCannotBeATokenStopsTheCallsThatNeedOne(text: String) async throws {
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport)
    client.setAuthToken("good-token")
    client.setAuthToken(text)
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .unauthorized)
    #expect(error?.rpc == "graph.IsMuted")
    #expect(error?.message.contains("malformed token: expected a token of visible ASCII characters") == true)
    #expect(!String(reflecting: error).contains("canary"))
    #expect(transport.requests.isEmpty)
    // Signing in needs no token, and a good one mends it.
    _ = try await client.call(AuthRPC.login, LoginRequest(email: "a@b.c", password: "p"))
    client.setAuthToken("good-token")
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    #expect(transport.requests.map { $0.headers["Authorization"] } == [nil, "Bearer good-token"])
  }

  @Test(arguments: [
    ("http://localhost:8080", true), ("http://127.0.0.1:1", true), ("http://[::1]:80", true),
    ("http://127.8.8.8", true), ("https://example.com", true), ("http://example.com", false),
    ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false), ("http://10.0.0.1", false),
  ])
  func theTokenNeverTravelsUnencryptedToAnotherMachine(url: String, isSent: Bool) async throws {
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, baseURL: url, token: nil)
    client.setAuthToken(try AccessToken("secret-token"))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect((error == nil) == isSent)
    #expect(transport.requests.count == (isSent ? 1 : 0))
    if let error {
      #expect(error.code == .insecureConnection)
      #expect(!"\(error)".contains("secret-token"))
    }
  }

  /// In the client, so that no transport has to be trusted with it: this one would take anything.
  @Test(arguments: ["a\r\nX-Evil: canary", "a\ncanary", "a\rcanary", "a\u{0}canary", "a\u{7F}canary", "\u{1B}canary"])
  func noTransportGetsAHeaderWithAControlCharacter(value: String) async throws {
    let options = [
      CallOptions(headers: ["X-Tenant": value]), CallOptions(requestID: value), CallOptions(idempotencyKey: value),
      CallOptions(headers: ["X-\(value)": "a"]), CallOptions(headers: ["": "a"]),
    ]
    for options in options {
      let transport = RecordingTransport("{}")
      let client = try APIClient.test(transport)
      let error = await apiError {
        try await client.call(
          GraphRPC.createMute, CreateMuteRequest(muterId: "a", muteeId: "b"), options: options)
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.hasSuffix("; nothing was sent") == true)
      #expect(error?.message.contains("canary") == false)
      #expect(transport.requests.isEmpty)
    }
  }

  @Test func aMiddlewaresHeadersAreCheckedToo() async throws {
    struct Careless: Middleware {
      func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers.append(name: "X-Name", value: "a\r\nb")
        return try await next(request)
      }
    }
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, middlewares: [Careless()])
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == "the value of the header X-Name has a line break or another control character; nothing was sent")
    #expect(transport.requests.isEmpty)
  }

  /// Headers are checked after the middlewares, so a middleware may correct what a caller has set.
  @Test func aMiddlewareMayCorrectAHeader() async throws {
    struct Careful: Middleware {
      func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers["X-Name"] = request.headers["X-Name"]?.filter { !$0.isNewline }
        return try await next(request)
      }
    }
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, middlewares: [Careful()])
    _ = try await client.call(
      GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"),
      options: CallOptions(headers: ["X-Name": "a\r\nb"]))
    #expect(transport.requests.first?.headers["X-Name"] == "ab")
  }

  @Test func logsTellTheCallAndKeepSecrets() async throws {
    let log = CapturedLog()
    let transport = RecordingTransport(
      headers: ["Content-Type": "application/json", "Set-Cookie": "canary-cookie"], #"{"is_muted":true}"#)
    let client = try APIClient.test(transport, logger: log.logger)
    client.setAuthToken(try AccessToken("canary-token"))
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "canary-body", muteeId: "b"))
    let lines = log.lines
    #expect(lines.count == 2, "\(lines)")
    #expect(lines[0].contains("Sending request") && lines[0].contains("rpc=graph.IsMuted"), "\(lines)")
    #expect(lines[1].contains("Received response") && lines[1].contains("status=200"), "\(lines)")
    #expect(lines.allSatisfy { $0.contains("request_id=test-request") && !$0.contains("canary") }, "\(lines)")
  }

  @Test func logsTellFailuresByKind() async throws {
    let log = CapturedLog()
    let transport = RecordingTransport { _, _ in
      throw TransportError(.connectionRefused, "canary", requestMayHaveLeft: false)
    }
    let client = try APIClient.test(transport, logger: log.logger)
    _ = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(log.lines.last?.contains("error=connectionRefused") == true, "\(log.lines)")
    #expect(!log.lines.joined().contains("canary"))
  }
}
