import NovaAuth
import NovaCore
import NovaGraph
import NovaMedia
import NovaRegistry
import NovaTestSupport
import Testing

/// What logs hold of bodies.
@Suite struct LoggingTests {
  private func lines(
    _ limit: Int, request: String = "", requestType: String? = "application/json", response: String = "",
    responseType: String = "application/json", rpc: RPCDescriptor = AuthRPC.login.descriptor,
    method: HTTPMethod = .post, isForGateway: Bool = true
  ) async throws -> [String] {
    let log = CapturedLog()
    let middleware = LoggingMiddleware(
      logger: log.logger, clock: ContinuousClock(), options: LogOptions(bodyBytes: limit))
    var headers = HTTPHeaders()
    headers["Content-Type"] = requestType
    _ = try await middleware.intercept(
      HTTPRequest(
        method: method, url: "http://localhost/x?canary=1", headers: headers, body: Array(request.utf8)),
      CallContext(rpc: rpc, requestID: "r", isForGateway: isForGateway)
    ) { _ in
      HTTPResponse(status: 200, headers: ["Content-Type": responseType], body: Array(response.utf8))
    }
    return log.lines
  }

  @Test func bodiesAreLoggedOnlyWhenAskedFor() async throws {
    let body = #"{"email":"a@b.c"}"#
    #expect(try await lines(0, request: body, response: body).allSatisfy { !$0.contains("email") })
    #expect(try await lines(100, request: body, response: body).allSatisfy { $0.contains("body=\(body)") })
  }

  @Test(arguments: [
    (#"{"password":"canary"}"#, #"{"password":"****"}"#),
    (#"{"refresh_token":"canary","refreshToken":"canary"}"#, #"{"refresh_token":"****","refreshToken":"****"}"#),
    (#"{"Authorization":"canary"}"#, #"{"Authorization":"****"}"#),
    (#"{"new_password":{"a":"canary"},"tokens":["canary",1]}"#, #"{"new_password":"****","tokens":"****"}"#),
    (#"{"a":[{"b":{"access_token":"canary","c":1}}]}"#, #"{"a":[{"b":{"access_token":"****","c":1}}]}"#),
    (
      #"{"api-key":"canary","API_KEY":12,"clientSecret":"canary"}"#,
      #"{"api-key":"****","API_KEY":"****","clientSecret":"****"}"#
    ),
    (#"{"\u0070assword":"canary"}"#, #"{"password":"****"}"#),
    (#"{"note":"Bearer canary","jwt":"eyJcanary.canary.canary"}"#, #"{"note":"****","jwt":"****"}"#),
    (#"["eyJ.canary.",{"x":"y"}]"#, #"["****",{"x":"y"}]"#),
  ])
  func secretsAreMasked(body: String, shown: String) async throws {
    for line in try await lines(1000, request: body, response: body) {
      #expect(line.contains("body=\(shown)"), "\(line)")
      #expect(!line.contains("canary"), "\(line)")
    }
  }

  /// Whatever the contract calls secret is recognized by its name, also where its message stands inside another.
  @Test func everySecretOfTheContractIsMasked() async throws {
    for message in RPCRegistry.nova.messages {
      for field in message.descriptor.fields where field.isSecret {
        for name in [field.name, field.jsonName] {
          let log = try await lines(1000, request: "{\"x\":{\"\(name)\":\"canary\"}}", rpc: GraphRPC.isMuted.descriptor)
          #expect(!log.joined().contains("canary"), "\(message.descriptor.name).\(name)")
        }
      }
    }
  }

  /// A secret that nobody can find is not shown at all.
  @Test(arguments: [
    #"{"password":"canary"#, #"{"a":1,"password":"canary"}}"#, "password=canary", #"{"password" "canary"}"#,
    "\u{FEFF}{}canary",
  ])
  func whatIsNotJSONIsNotShown(body: String) async throws {
    for line in try await lines(1000, request: body, response: body) {
      #expect(line.contains("body=\(body.utf8.count) bytes, not shown"), "\(line)")
      #expect(!line.contains("canary"))
    }
  }

  /// Masked first and cut then, so that no cut can hide a name from the mask.
  @Test(arguments: 1...40)
  func theLimitHolds(limit: Int) async throws {
    let body = #"{"a":"é😀é","password":"canary"}"#
    let masked = #"{"a":"é😀é","password":"****"}"#
    let line = try #require(try await lines(limit, request: body).first)
    let shown = try #require(line.split(separator: "body=").dropFirst().first?.split(separator: " bytes=").first)
    #expect(!line.contains("canary"))
    if limit >= masked.utf8.count {
      #expect(shown == masked)
    } else {
      let text = try #require(shown.split(separator: "…", omittingEmptySubsequences: false).first)
      #expect(masked.hasPrefix(text) && text.utf8.count <= limit && text.utf8.count > limit - 4)
      #expect(shown.hasSuffix("… (\(masked.utf8.count) bytes)"))
    }
  }

  /// Be it JSON, what is uploaded is somebody's file.
  @Test func uploadsAreNotLogged() async throws {
    let rpc = MediaRPC.startUpload.descriptor
    for (method, isForGateway) in [(HTTPMethod.put, true), (.put, false), (.post, false)] {
      let log = try await lines(1000, request: #"{"a":"canary"}"#, rpc: rpc, method: method, isForGateway: isForGateway)
      #expect(!log.joined().contains("canary"))
    }
    let binary = try await lines(
      1000, request: "canary", requestType: "video/mp4", response: "canary", responseType: "text/html")
    #expect(!binary.joined().contains("canary"))
  }

  /// No binding is a PUT, which is how uploads are told from calls.
  @Test func noCallIsAPut() {
    #expect(RPCRegistry.nova.rpcs.allSatisfy { $0.http.method != .put })
  }

  @Test func theConfigurationTurnsBodiesOn() async throws {
    let log = CapturedLog()
    let client = try APIClient.test(
      RecordingTransport(#"{"is_muted":true}"#), overrides: ConfigurationOverrides(logBodyBytes: 100),
      logger: log.logger)
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    #expect(log.lines.first?.contains(#"body={"muter_id":"a","mutee_id":"b"}"#) == true, "\(log.lines)")
    #expect(log.lines.last?.contains(#"body={"is_muted":true}"#) == true)
  }
}
