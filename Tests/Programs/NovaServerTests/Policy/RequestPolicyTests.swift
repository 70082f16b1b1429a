import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// Every kind of route, with every kind of `Host`, `Origin`, `Sec-Fetch-Site` and body, over a socket.
@Suite struct RequestPolicyTests {
  struct Route: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    var body = ""
    /// What a request from nowhere in particular gets.
    let status: Int
    var isFile = false

    var testDescription: String { "\(method) \(path)" }
    var isRead: Bool { method == "GET" || method == "HEAD" }
  }

  private static let file = "/media/upload-1/page.html"

  static let routes = [
    Route(method: "POST", path: isMutedPath, body: isMutedBody, status: 200),
    Route(
      method: "POST", path: "/api/v1/content/post/delete", body: #"{"post_id":"p","deleted_by_id":"u"}"#, status: 404),
    Route(method: "GET", path: "/api/v1/announcements", status: 200),
    Route(method: "DELETE", path: "/api/v1/somethings/1", status: 404),
    Route(method: "PATCH", path: "/api/v1/somethings/1/meaning", body: #"{"meaning":"m"}"#, status: 404),
    Route(method: "GET", path: file, status: 200, isFile: true),
    Route(method: "HEAD", path: file, status: 200, isFile: true),
    Route(method: "GET", path: "/_nova/", status: 200), Route(method: "GET", path: "/_nova/state", status: 200),
    Route(method: "POST", path: "/_nova/reset", status: 200),
    Route(method: "PUT", path: "/_nova/faults", body: #"{"rules":[]}"#, status: 200),
    Route(method: "GET", path: "/_nova/contract", status: 200),
    Route(method: "POST", path: "/_nova/stubs", body: #"{"rpc":"graph.IsMuted"}"#, status: 201),
    Route(method: "DELETE", path: "/_nova/stubs", status: 200),
    Route(method: "DELETE", path: "/_nova/stubs/stub-0", status: 404),
    Route(method: "GET", path: "/_nova/requests", status: 200),
    Route(method: "DELETE", path: "/_nova/requests", status: 200),
    Route(method: "GET", path: "/_nova/requests/0", status: 404),
    Route(method: "GET", path: "/_nova/users", status: 200),
    Route(method: "PATCH", path: "/_nova/users/u", body: #"{"bio":"b"}"#, status: 404),
    Route(method: "GET", path: "/_nova/posts", status: 200),
    Route(method: "PATCH", path: "/_nova/posts/p", body: #"{"title":"t"}"#, status: 404),
    Route(method: "DELETE", path: "/_nova/posts/p", status: 404), Route(method: "GET", path: "/", status: 302),
    Route(method: "GET", path: "/nowhere", status: 404), Route(method: "OPTIONS", path: isMutedPath, status: 405),
  ]

  /// Runs `body` with a server that has a file.
  private func withFile(
    _ backend: MockBackend = MockBackend(dataSet: .empty), allowedHosts: [String] = [], host: String = "127.0.0.1",
    _ body: (_ port: UInt16) async throws -> Void
  ) async throws {
    try await withServer(backend, hasAdmin: true, allowedHosts: allowedHosts, host: host) { _, port in
      _ = try backend.store(Array("<h1>".utf8), name: "page.html", type: "text/html")
      try await body(port)
    }
  }

  /// What `route` answers to a request with these header lines; `{}` in them stands for the port.
  private func status(
    _ route: Route, _ lines: [String], port: UInt16, version: String = "1.1", target: String? = nil
  ) async -> Int? {
    let type = route.body.isEmpty ? [] : ["Content-Type: application/json"]
    let head =
      (["\(route.method) \(target ?? route.path) HTTP/\(version)"] + lines + type
      + ["Content-Length: \(route.body.utf8.count)"]).joined(separator: "\r\n").replacing("{}", with: "\(port)")
    let answer = await exchange(Array("\(head)\r\n\r\n\(route.body)".utf8), port: port)
    return Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// A file goes with a reset.
  private func restored(_ backend: MockBackend) throws {
    backend.reset()
    _ = try backend.store(Array("<h1>".utf8), name: "page.html", type: "text/html")
  }

  private static let hosts: [(lines: [String], isGood: Bool, isMalformed: Bool)] = [
    (["Host: 127.0.0.1:{}"], true, false), (["Host: localhost:{}"], true, false), (["Host: [::1]:{}"], true, false),
    (["Host: LOCALHOST"], true, false), (["Host: app.localhost:{}"], true, false),
    (["Host: 192.168.1.5:{}"], true, false), (["Host: evil.example:{}"], false, false),
    (["Host: localhost.evil.example"], false, false), (["Host: 127.0.0.1.evil.example"], false, false),
    ([], false, true),
    (["Host: localhost", "Host: localhost"], false, true), (["Host: localhost", "Host: evil.example"], false, true),
    (["Host: "], false, true), (["Host: evil@localhost"], false, true), (["Host: localhost:x"], false, true),
    (["Host: .localhost"], false, true), (["Host: a..localhost:{}"], false, true),
  ]

  @Test(arguments: routes) func everyRouteChecksTheHost(_ route: Route) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withFile(backend) { port in
      for host in Self.hosts {
        let expected = host.isGood ? route.status : host.isMalformed ? 400 : 403
        #expect(await status(route, host.lines, port: port) == expected, "\(host.lines)")
        try restored(backend)
      }
    }
  }

  private static let origins: [(lines: [String], isGood: Bool)] = [
    ([], true), (["Origin: http://localhost:{}"], true), (["Origin: https://localhost:{}"], false),
    (["Origin: null"], false), (["Origin: "], false), (["Origin: http://evil.example"], false),
    (["Origin: http://127.0.0.1:{}"], false), (["Origin: http://localhost"], false),
    (["Origin: http://localhost:{}", "Origin: http://evil.example"], false),
  ]

  @Test(arguments: routes) func everyRouteChecksTheOrigin(_ route: Route) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withFile(backend) { port in
      for origin in Self.origins {
        let expected = origin.isGood ? route.status : 403
        #expect(await status(route, ["Host: localhost:{}"] + origin.lines, port: port) == expected, "\(origin.lines)")
        try restored(backend)
      }
    }
  }

  @Test(arguments: routes) func everyRouteChecksTheSite(_ route: Route) async throws {
    let backend = MockBackend(dataSet: .empty)
    let link = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
    try await withFile(backend) { port in
      let cases: [(lines: [String], isGood: Bool)] = [
        (["Sec-Fetch-Site: same-origin"], true), (["Sec-Fetch-Site: none"], true),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], route.isFile),
        (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"], route.isFile),
        (["Sec-Fetch-Site: cross-site"] + link, route.isRead), (["Sec-Fetch-Site: unheard-of"], route.isFile),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], route.isFile),
        (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], route.isFile),
      ]
      for each in cases {
        let expected = each.isGood ? route.status : 403
        #expect(await status(route, ["Host: localhost:{}"] + each.lines, port: port) == expected, "\(each.lines)")
        try restored(backend)
      }
    }
  }

  @Test(arguments: routes) func targetsMayBeURLs(_ route: Route) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withFile(backend) { port in
      for (server, host, expected) in [
        ("localhost:{}", "localhost:{}", route.status), ("evil.example", "evil.example", 403),
        ("evil.example", "localhost:{}", 400), ("localhost:{}", "evil.example", 400),
      ] {
        let target = "http://\(server)\(route.path)"
        #expect(await status(route, ["Host: \(host)"], port: port, target: target) == expected, "\(server) \(host)")
        try restored(backend)
      }
    }
  }

  @Test func oldClientsNeedNoHost() async throws {
    try await withFile { port in
      #expect(await status(Self.routes[0], [], port: port, version: "1.0") == 200)
      #expect(await status(Self.routes[0], ["Host: evil.example"], port: port, version: "1.0") == 403)
      #expect(await status(Self.routes[0], ["Origin: http://localhost"], port: port, version: "1.0") == 403)
    }
  }

  @Test func namesCanBeAllowed() async throws {
    for (host, allowed, others) in [
      ("127.0.0.1", ["nova.test"], 403), ("0.0.0.0", [], 200), ("0.0.0.0", ["nova.test"], 403),
    ] {
      try await withFile(allowedHosts: allowed, host: host) { port in
        #expect(await status(Self.routes[0], ["Host: nova.test:{}"], port: port) == 200)
        #expect(await status(Self.routes[0], ["Host: localhost:{}"], port: port) == 200)
        #expect(await status(Self.routes[0], ["Host: evil.example"], port: port) == others)
        #expect(await status(Self.routes[0], ["Host: nova.test", "Origin: http://evil.example"], port: port) == 403)
        let secure = await status(Self.routes[0], ["Host: nova.test", "Origin: https://nova.test"], port: port)
        #expect(secure == (allowed.isEmpty ? 403 : 200))
        #expect(await status(Self.routes[0], ["Host: localhost", "Origin: https://localhost"], port: port) == 403)
      }
    }
  }

  private static let types: [(type: String?, isJSON: Bool)] = [
    ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/merge-patch+json", true),
    (nil, false), ("text/plain", false), ("application/x-www-form-urlencoded", false), ("multipart/form-data", false),
    ("text/plain; application/json", false), ("application/jsonp", false), ("", false),
  ]

  @Test(arguments: routes.filter { !$0.body.isEmpty }) func bodiesAreJSON(_ route: Route) async throws {
    try await withFile { port in
      for (type, isJSON) in Self.types {
        let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let head = "\(route.method) \(route.path) HTTP/1.1\r\nHost: localhost\r\n\(line)"
        let answer = await exchange(
          Array("\(head)Content-Length: \(route.body.utf8.count)\r\n\r\n\(route.body)".utf8), port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(isJSON ? route.status : 415) "), "\(type ?? "none"): \(answer)")
        if !isJSON { #expect(answer.contains("send Content-Type: application/json (curl: -H '")) }
      }
    }
  }

  @Test func bytesOfUploadsHaveAnyType() async throws {
    try await withFile { port in
      let start = #"{"user_id":"u","file_name":"a.png","file_size":3}"#
      #expect(await exchange(request("/api/v1/media/upload/start", start), port: port).hasPrefix("HTTP/1.1 200 "))
      let put = "PUT /api/v1/media/upload/upload-2/bytes HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
      let answer = await exchange(Array("\(put)Content-Length: 3\r\n\r\nabc".utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }
  }

  /// What a page from elsewhere can make a browser send without asking first.
  @Test func aPageElsewhereDeletesNothing() async throws {
    let backend = MockBackend()
    try await withFile(backend) { port in
      let body = #"{"post_id":"post-1","deleted_by_id":"mock-user-id"}"#
      let form =
        "POST /api/v1/content/post/delete HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: text/plain\r\n"
        + "Content-Length: \(body.utf8.count)\r\n"
      for origin in ["Origin: http://evil.example\r\n", "Origin: null\r\n", ""] {
        #expect(await !exchange(Array("\(form)\(origin)\r\n\(body)".utf8), port: port).hasPrefix("HTTP/1.1 200 "))
      }
      let found = await exchange(request("/api/v1/content/post/exists", #"{"post_id":"post-1"}"#), port: port)
      #expect(found.hasSuffix(#"{"exists":true}"#))
    }
  }
}
