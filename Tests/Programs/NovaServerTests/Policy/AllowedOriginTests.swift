import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// What pages of an allowed origin can do, over a socket.
@Suite struct AllowedOriginTests {
  private static let page = "http://localhost:5173"
  private static let allowed = [page, "http://127.0.0.1:*", "https://*.example.com"]
  private static let crossSite = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n"

  /// A response as it was received.
  private struct Reply {
    let status: Int?
    let headers: HTTPHeaders
    let body: String

    init(_ text: String) {
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      let lines = parts[0].split(separator: "\r\n")
      status = Int(lines.first?.dropFirst("HTTP/1.1 ".count).prefix(3) ?? "")
      headers = HTTPHeaders(
        lines.dropFirst().compactMap { line in
          guard let colon = line.firstIndex(of: ":") else { return nil }
          return .init(name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmed)
        })
      body = parts.count > 1 ? String(parts[1]) : ""
    }

    func list(_ name: String) -> [String] { FieldList.elements(headers.values(for: name)) }
  }

  private func reply(
    _ method: String = "POST", _ path: String = isMutedPath, body: String = "", headers: String, port: UInt16
  ) async -> Reply {
    Reply(await exchange(request(path, body, verb: method, headers: headers), port: port))
  }

  private func withAllowed(
    _ backend: MockBackend = MockBackend(dataSet: .empty), _ body: (_ port: UInt16) async throws -> Void
  ) async throws {
    try await withServer(backend, hasAdmin: true, allowedOrigins: Self.allowed) { _, port in try await body(port) }
  }

  @Test(arguments: [
    (page, true), ("http://127.0.0.1:3000", true), ("https://app.example.com", true), ("http://localhost:5174", false),
    ("http://app.example.com", false), ("http://evil.example", false), ("null", false),
  ])
  func responsesAreReadableForAllowedPagesOnly(origin: String, isAllowed: Bool) async throws {
    try await withAllowed { port in
      for site in ["", Self.crossSite] {
        let reply = await reply(body: isMutedBody, headers: "Origin: \(origin)\r\n\(site)", port: port)
        #expect(reply.status == (isAllowed ? 200 : 403), "\(reply)")
        #expect(reply.headers["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil), "\(reply)")
        #expect(reply.headers["Access-Control-Allow-Credentials"] == (isAllowed ? "true" : nil), "\(reply)")
        #expect(reply.list("Vary").contains("Origin"), "a cache must not mix the two: \(reply)")
      }
    }
  }

  @Test func failuresAndFilesAreReadable() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withAllowed(backend) { port in
      _ = try backend.store(Array("text".utf8), name: "a.txt", type: "text/plain")
      let line = "Origin: \(Self.page)\r\n\(Self.crossSite)"
      for (method, path, body, extra, status) in [
        ("POST", "/nowhere", "{}", "", 404), ("POST", isMutedPath, "{", "", 400),
        ("POST", isMutedPath, isMutedBody, "Authorization: Bearer x\r\n", 401),
        ("POST", isMutedPath, isMutedBody, "Nova-Fault: 503 retry-after 3\r\n", 503),
        ("POST", isMutedPath, isMutedBody, "Content-Encoding: gzip\r\n", 415),
        ("OPTIONS", isMutedPath, "", "", 405), ("GET", "/media/upload-1/a.txt", "", "", 200),
        ("POST", isMutedPath, String(repeating: " ", count: (8 << 20) + 1), "", 413),
      ] {
        let reply = await reply(method, path, body: body, headers: line + extra, port: port)
        #expect(reply.status == status, "\(method) \(path): \(reply.status ?? 0)")
        #expect(reply.headers["Access-Control-Allow-Origin"] == Self.page, "\(method) \(path)")
        let exposed = reply.list("Access-Control-Expose-Headers")
        for name in ContractHeaders.ofResponses { #expect(exposed.contains(name), "\(name) of \(method) \(path)") }
      }
      // A file that a page shows without CORS is cached apart.
      let image = await reply("GET", "/media/upload-1/a.txt", headers: "", port: port)
      #expect(image.headers["Vary"] == "Origin" && image.headers["Access-Control-Allow-Origin"] == nil, "\(image)")
    }
  }

  @Test func headersOfStubsAreReadable() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withAllowed(backend) { port in
      let stub = #"{"rpc":"graph.IsMuted","headers":{"X-Quota":"7","Access-Control-Allow-Origin":"*","Vary":"Accept"}}"#
      #expect(await reply("POST", "/_nova/stubs", body: stub, headers: "", port: port).status == 201)
      let reply = await reply(body: isMutedBody, headers: "Origin: \(Self.page)\r\n", port: port)
      #expect(reply.list("Access-Control-Expose-Headers").contains("X-Quota"), "\(reply)")
      #expect(reply.headers.values(for: "Access-Control-Allow-Origin") == [Self.page], "\(reply)")
      #expect(reply.list("Vary") == ["Accept", "Origin"], "\(reply)")
    }
  }

  @Test func preflightsAreAnswered() async throws {
    let backend = MockBackend(dataSet: .empty, faults: try Faults(["503"]))
    try await withAllowed(backend) { port in
      let asked =
        "Origin: \(Self.page)\r\n\(Self.crossSite)Access-Control-Request-Method: PUT\r\n"
        + "Access-Control-Request-Headers: authorization,x-tenant, bad name\r\n"
      let reply = await reply("OPTIONS", "/api/v1/media/upload/upload-2/bytes", headers: asked, port: port)
      #expect(reply.status == 204 && reply.body.isEmpty, "\(reply)")
      #expect(reply.headers["Access-Control-Allow-Origin"] == Self.page)
      #expect(reply.headers["Access-Control-Allow-Credentials"] == "true")
      #expect(reply.headers["Access-Control-Max-Age"] == "600")
      #expect(reply.list("Vary").contains("Origin"), "\(reply)")
      #expect(
        Set(reply.list("Access-Control-Allow-Methods")).isSuperset(of: [
          "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
        ]))
      let headers = reply.list("Access-Control-Allow-Headers")
      #expect(Set(headers).isSuperset(of: ContractHeaders.ofRequests + ["x-tenant"]), "\(headers)")
      #expect(
        !headers.contains("authorization") && !headers.contains("bad name"), "each once, and only names: \(headers)")
      #expect(reply.headers["Access-Control-Allow-Private-Network"] == nil)
      let fromNetwork = await self.reply(
        "OPTIONS", headers: asked + "Access-Control-Request-Private-Network: true\r\n", port: port)
      #expect(fromNetwork.headers["Access-Control-Allow-Private-Network"] == "true", "\(fromNetwork)")
      let refused = await self.reply(
        "OPTIONS", headers: "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n", port: port)
      #expect(refused.status == 403 && refused.headers["Access-Control-Allow-Methods"] == nil, "\(refused)")
    }
    #expect(backend.recentRequests().map(\.method) == ["OPTIONS"], "a preflight request is no call")
  }

  @Test(arguments: ["GET", "POST", "PUT", "OPTIONS"]) func theAdminAPIStaysClosed(method: String) async throws {
    try await withAllowed { port in
      for path in ["/_nova/state", "/_nova/faults", "/_nova/clock", "/_nova/"] {
        let reply = await reply(
          method, path, headers: "Origin: \(Self.page)\r\nAccess-Control-Request-Method: POST\r\n", port: port)
        #expect(reply.status == 403 && reply.body.contains("cannot use the admin API"), "\(path): \(reply)")
        #expect(reply.headers["Access-Control-Allow-Origin"] == nil, "\(path): \(reply)")
      }
    }
  }

  @Test func manyOriginsInOneRequestAreRefused() async throws {
    try await withAllowed { port in
      let twice = "Origin: \(Self.page)\r\nOrigin: \(Self.page)\r\n"
      #expect(await reply(body: isMutedBody, headers: twice, port: port).status == 403)
    }
  }

  /// Without the option, nothing about other origins is sent.
  @Test func theDefaultIsAsBefore() async throws {
    try await withServer { _, port in
      let own = await reply(
        body: isMutedBody, headers: "Origin: http://127.0.0.1\r\n", port: port)
      #expect(own.status == 200 && own.headers["Vary"] == nil, "\(own)")
      #expect(!own.headers.contains { $0.name.lowercased().hasPrefix("access-control-") }, "\(own)")
    }
  }

  // MARK: Proxies of development servers

  private static let forwarded: [(lines: [String], isGood: Bool)] = [
    // Vite's `changeOrigin`: `Host` is that of this server, and `Origin` that of the page.
    (["Origin: http://localhost:5173", "Sec-Fetch-Site: same-origin"], true),
    (["Origin: https://localhost:5173", "Sec-Fetch-Site: same-origin"], true),
    (["Origin: http://192.168.1.5:5173", "Sec-Fetch-Site: same-origin"], true),
    (["Origin: http://nova.test:5173", "Sec-Fetch-Site: same-origin"], true),
    // A page that DNS rebinding has given the address of the development server, which forwards any name.
    (["Origin: http://evil.example:5173", "Sec-Fetch-Site: same-origin"], false),
    (["Origin: http://localhost.evil.example", "Sec-Fetch-Site: same-origin"], false),
    // A page elsewhere, directly or through the proxy.
    (["Origin: http://localhost:9999", "Sec-Fetch-Site: same-site"], false),
    (["Origin: http://localhost:9999", "Sec-Fetch-Site: cross-site"], false),
    (["Origin: http://localhost:9999", "Sec-Fetch-Site: none"], false), (["Origin: http://localhost:9999"], false),
    (["Origin: http://localhost:9999", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"], false),
    (["Origin: null", "Sec-Fetch-Site: same-origin"], false),
    (["Origin: capacitor://localhost", "Sec-Fetch-Site: same-origin"], false),
  ]

  @Test func aPageBehindAProxyThatReplacesTheHostIsRecognized() async throws {
    try await withServer(allowedHosts: ["nova.test"]) { _, port in
      for each in Self.forwarded {
        let lines = each.lines.map { "\($0)\r\n" }.joined()
        let reply = await reply(body: isMutedBody, headers: lines, port: port)
        #expect(reply.status == (each.isGood ? 200 : 403), "\(each.lines): \(reply)")
        #expect(reply.headers["Access-Control-Allow-Origin"] == nil, "the proxy's pages need no leave: \(reply)")
      }
    }
  }

  // MARK: Refusals

  @Test(arguments: [
    ("Origin: http://localhost:5173\r\n", "--allow-origin http://localhost:5173"),
    ("Origin: https://Evil.Example:443\r\n", "--allow-origin https://evil.example"),
    ("Origin: chrome-extension://abc\r\n", "--allow-origin chrome-extension://abc"),
    ("Origin: null\r\n", "--allow-origin <the page's origin>"), ("Origin: x\u{1b}[2J\r\n", "--allow-origin names"),
    ("Sec-Fetch-Site: same-site\r\n", "--allow-origin names"),
  ])
  func refusalsNameTheOptionAndAreLoggedAsSuch(headers: String, advice: String) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend, hasAdmin: true) { _, port in
      let line = "\(headers)Authorization: Bearer secret-secret\r\nX-Request-ID: page-1\r\n"
      let reply = await reply(body: isMutedBody, headers: line, port: port)
      #expect(reply.status == 403 || reply.status == 400, "\(reply)")
      guard reply.status == 403 else { return }
      #expect(reply.body.contains(advice), "\(reply)")
      let record = try #require(backend.recentRequests().first)
      #expect(record.refusal?.contains(advice) == true && record.status == 403, "\(record)")
      #expect(record.rpc == nil && record.requestID == "page-1" && record.path == isMutedPath, "\(record)")
      #expect(record.requestHeaders?["Authorization"] == "Bearer ****", "\(record)")
      #expect(
        record.requestBody?.contains("not kept") == true && record.requestSize == isMutedBody.utf8.count, "\(record)")
      // What happens in place of the call is no call.
      #expect(await isAnswered(at: port))
      let state = await self.reply("GET", "/_nova/state", headers: "", port: port).body
      #expect(state.contains(#""request_count":1,"refused_count":1"#), "\(state)")
      #expect(backend.recentRequests().map(\.refusal).map { $0 == nil } == [false, true])
    }
  }

  @Test func otherRefusalsAreLoggedToo() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { _, port in
      _ = await exchange(Array("GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n".utf8), port: port)
      _ = await reply(headers: "Transfer-Encoding: x\r\n", port: port)
      _ = await exchange(
        Array("POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}".utf8),
        port: port)
      #expect(backend.recentRequests().map(\.path) == ["/a", "/b"])
      #expect(backend.recentRequests().map(\.status) == [403, 415])
      #expect(backend.recentRequests().first?.refusal?.contains("--allowed-host evil.example") == true)
    }
  }

  /// The terminal gets each reason once, because a page can cause any number of requests.
  @Test func whoeverRunsTheServerIsTold() async throws {
    let warnings = Locked<[String]>([])
    let server = try await MockServer(
      host: "127.0.0.1", port: 0, backend: MockBackend(dataSet: .empty),
      warn: { line in warnings.withLock { $0.append(line) } },
      limits: .patient)
    let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
    for number in [1, 1, 2] + Array(3..<40) {
      _ = await reply(
        body: isMutedBody, headers: "Origin: http://localhost:\(number)\r\n", port: port)
    }
    await server.stop()
    let lines = warnings.withLock { $0 }
    #expect(lines.count == 20 && Set(lines).count == 20, "\(lines)")
    #expect(lines.first?.hasSuffix("--allow-origin http://localhost:1") == true, "\(lines)")
  }

  @Test(arguments: ["*", "localhost:5173", "http://localhost/"]) func invalidOriginsStartNothing(origin: String) async {
    let error = await #expect(throws: MockServerError.self) {
      _ = try await MockServer(
        host: "127.0.0.1", port: 0, backend: MockBackend(dataSet: .empty), allowedOrigins: [origin])
    }
    #expect(error?.description.hasPrefix("invalid allowed origin: \"\(origin)\": ") == true)
  }
}
