import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// What real clients send beside plain requests.
@Suite(.hangLimit) struct RequestOddityTests {
  private func answer(_ head: String, _ body: String = "", port: UInt16) async -> String {
    await exchange(Array("\(head)\r\n\r\n\(body)".utf8), port: port)
  }

  @Test(arguments: [
    ("OPTIONS * HTTP/1.1\r\nHost: localhost", 204, "\r\nAllow: GET, HEAD, POST"),
    ("OPTIONS * HTTP/1.1\r\nHost: evil.example", 403, "host refused"),
    ("OPTIONS \(isMutedPath) HTTP/1.1\r\nHost: localhost", 405, "\r\nAllow: POST"),
    ("FOO \(isMutedPath) HTTP/1.1\r\nHost: localhost", 501, "unknown method"),
    ("post \(isMutedPath) HTTP/1.1\r\nHost: localhost", 501, "unknown method"),
    ("PROPFIND \(isMutedPath) HTTP/1.1\r\nHost: localhost", 405, "\r\nAllow: POST"),
    ("QUERY \(isMutedPath) HTTP/1.1\r\nHost: localhost", 405, "\r\nAllow: POST"),
    ("TRACE \(isMutedPath) HTTP/1.1\r\nHost: localhost", 405, "\r\nAllow: POST"),
    ("PURGE /nowhere HTTP/1.1\r\nHost: localhost", 404, "\"code\":"),
    ("TRACE / HTTP/1.1\r\nHost: evil.example", 403, "host refused"),
    ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80", 501, "no proxy"),
    ("PRI * HTTP/2.0", 505, "HTTP/1.1"), ("\u{16}\u{3}\u{1}\u{2}", 400, "TLS handshake"),
    ("hello, this is no request", 400, "this is not HTTP/1.1"),
    ("GET https://localhost/ HTTP/1.1\r\nHost: localhost", 421, "use http:// in place of https://"),
    ("GET ftp://localhost/ HTTP/1.1\r\nHost: localhost", 400, "use http://"),
    ("GET HTTP://localhost/ HTTP/1.1\r\nHost: localhost", 302, ""),
    ("GET http://localhost HTTP/1.1\r\nHost: localhost", 302, ""),
    ("GET /api/v1/%61nnouncements HTTP/1.1\r\nHost: localhost", 200, "\"data\""),
    ("GET /%61pi/v1/announcement%73?lat=0&lng=%30 HTTP/1.1\r\nHost: localhost", 200, "\"data\""),
    ("GET http://localhost/_nov%61/state HTTP/1.1\r\nHost: localhost", 200, "\"seed\""),
    ("GET /_nova/x/%2e%2E/state HTTP/1.1\r\nHost: localhost", 404, "not found"),
    ("GET /api%2Fv1/announcements HTTP/1.1\r\nHost: localhost", 404, "no RPC"),
    ("GET /api/v1/announcements%2 HTTP/1.1\r\nHost: localhost", 404, "no RPC"),
    ("GET /%E0%A4 HTTP/1.1\r\nHost: localhost", 404, ""),
  ])
  func everyoneGetsAnAnswer(head: String, status: Int, text: String) async throws {
    try await withServer(hasAdmin: true) { _, port in
      let answer = await answer(head, port: port)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && (text.isEmpty || answer.contains(text)), "\(answer)")
      #expect(await isAnswered(at: port))
    }
  }

  @Test func aProxyWithTLSMayNameItself() async throws {
    try await withServer(hasAdmin: true, allowedHosts: ["nova.test"]) { _, port in
      let answer = await answer("GET https://nova.test/_nova/state HTTP/1.1\r\nHost: nova.test", port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }
  }

  private static let codings: [(String, Bool)] = [
    ("gzip", false), ("GZIP", false), ("x-gzip", false), ("deflate", false), ("br", false), ("zstd", false),
    ("identity, gzip", false), ("gzip\r\nContent-Encoding: identity", false), ("identity", true), ("", true),
    ("UTF-8", true), ("none", true), ("aws-chunked", true), ("binary", true),
  ]

  @Test(arguments: codings) func compressedBodiesAreRefused(_ coding: String, _ isAccepted: Bool) async throws {
    try await withServer(hasAdmin: true) { _, port in
      let start = #"{"user_id":"u","file_name":"a.png","file_size":3}"#
      #expect(await exchange(request("/api/v1/media/upload/start", start), port: port).contains("upload-1"))
      let header = "Content-Encoding: \(coding)\r\n"
      let cases = [
        (request(isMutedPath, isMutedBody, headers: header), 200),
        (request("/_nova/faults", #"{"rules":[]}"#, verb: "PUT", headers: header), 200),
        (request("/api/v1/media/upload/upload-1/bytes", "abc", verb: "PUT", headers: header), 200),
      ]
      for (bytes, status) in cases {
        let answer = await exchange(bytes, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(isAccepted ? status : 415) "), "\(coding): \(answer)")
        if !isAccepted { #expect(answer.contains("\r\nAccept-Encoding: identity\r\n"), "\(answer)") }
      }
      // Without a body, the header means nothing.
      let empty = Array("GET /_nova/state HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n".utf8)
      #expect(await exchange(empty, port: port).hasPrefix("HTTP/1.1 200 "))
    }
  }

  /// Where bytes of any type are sent with PUT, the type of others does not matter.
  @Test(arguments: ["POST", "PATCH", "DELETE"]) func otherMethodsForBytesAreNamed(_ method: String) async throws {
    try await withServer { _, port in
      let head = "\(method) /api/v1/media/upload/upload-1/bytes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      let answer = await exchange(
        Array("\(head)Content-Type: application/octet-stream\r\nContent-Length: 3\r\n\r\nabc".utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: PUT\r\n"), "\(answer)")
    }
  }

  /// A client that waits for leave gets the refusal in its place.
  @Test(arguments: [
    ("POST \(isMutedPath)", "Content-Type: text/plain\r\nContent-Length: 30", 415),
    ("POST \(isMutedPath)", "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 30", 415),
    ("POST \(isMutedPath)", "Content-Type: application/json\r\nContent-Length: 99999999", 413),
    ("POST \(isMutedPath)", "Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 30", 403),
    ("POST /nowhere", "Content-Type: application/json\r\nContent-Length: 30", 404),
    ("PATCH \(isMutedPath)", "Content-Type: application/json\r\nTransfer-Encoding: chunked", 405),
    ("PUT /api/v1/media/upload/upload-9/bytes", "Content-Length: 30", 404),
    ("PUT /api/v1/media/upload/upload-1/bytes", "Content-Length: 2\r\nContent-Range: bytes 1-2/3", 409),
    ("PUT /api/v1/media/upload/upload-1/bytes", "Content-Encoding: gzip\r\nContent-Length: 3", 415),
  ])
  func refusalsComeBeforeTheBody(line: String, headers: String, status: Int) async throws {
    try await withServer { _, port in
      let start = #"{"user_id":"u","file_name":"a.png","file_size":3}"#
      #expect(await exchange(request("/api/v1/media/upload/start", start), port: port).contains("upload-1"))
      let head = "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\(headers)\r\n\r\n"
      // The body does not come, so the answer must.
      let answer = await exchange(Array(head.utf8), port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
      #expect(await isAnswered(at: port))
    }
  }

  /// The parts of a connection, cut anywhere.
  @Test(arguments: [1, 2, 3, 7, 64]) func headsAreFoundWhereverTheyAreCut(_ size: Int) async throws {
    try await withServer { _, port in
      let bytes = isMuted + Array("\r\n".utf8) + isMuted
      let parts = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
      let answer = await exchange(parts, port: port)
      #expect(answer.ranges(of: #"{"is_muted":false}"#).count == 2, "\(answer)")
    }
  }
}

/// Both loopback addresses, as a client may take either for `localhost`.
@Suite struct LoopbackNameTests {
  @Test(arguments: ["localhost", "LOCALHOST"]) func aServerOfLocalhostHasBoth(_ host: String) async throws {
    let hasIPv6 = (try? await MockServer(host: "::1", port: 0, backend: MockBackend(dataSet: .empty)))
    await hasIPv6?.stop()
    try await withServer(host: host) { server, port in
      #expect(server.url == "http://\(host):\(port)")
      let transport = CurlTransport()
      for address in ["127.0.0.1"] + (hasIPv6 == nil ? [] : ["[::1]"]) {
        let url = try HTTPURL(parsing: "http://\(address):\(port)\(isMutedPath)")
        var call = HTTPRequest(method: .post, url: url, body: Array(isMutedBody.utf8))
        call.headers["Content-Type"] = "application/json"
        #expect(try await transport.send(call).status == 200, "\(address)")
      }
      await transport.shutdown()
      // The port is taken at each of them.
      await #expect(throws: MockServerError.self) {
        try await MockServer(host: host, port: port, backend: MockBackend(dataSet: .empty))
      }
    }
  }
}
