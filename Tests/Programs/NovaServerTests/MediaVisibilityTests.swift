import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// Files over a socket follow the post that shows them.
@Suite struct MediaVisibilityTests {
  private func call(_ backend: MockBackend, _ path: String, body: String) throws -> JSONValue {
    let request = HTTPRequest(method: .post, url: HTTPURL(received: path), body: Array(body.utf8))
    return try JSONValue(jsonUTF8: backend.respond(to: request).body.inMemory)
  }

  private func status(_ path: String, _ token: String?, port: UInt16) async -> String {
    let header = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let answer = await exchange(request(path, verb: "GET", headers: header + "Connection: close\r\n"), port: port)
    let cache = answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("cache-control:") }
    return
      "\(answer.split(separator: " ").dropFirst().first ?? "") \(cache?.split(separator: " ").dropFirst().first ?? "")"
  }

  @Test(arguments: [false, true]) func filesFollowThePost(requiresTokens: Bool) async throws {
    let backend = MockBackend(dataSet: .empty, requiresTokens: requiresTokens)
    let file = "/media/upload-1/a.png"
    let reader = try call(
      backend, "/api/v1/auth/register", body: #"{"email":"r@x.example","username":"reader","password":"a-password"}"#)
    let owner = try call(
      backend, "/api/v1/auth/register", body: #"{"email":"o@x.example","username":"owner","password":"a-password"}"#)
    let (readerToken, ownerToken) = (reader["token"]?.stringValue, owner["token"]?.stringValue)
    try await withServer(backend) { _, port in
      try await upload(as: owner["user_id"]?.stringValue ?? "", token: ownerToken ?? "", port: port)
      #expect(await status(file, ownerToken, port: port) == "200 private,")
      #expect(await status(file, readerToken, port: port) == "404 ")
      #expect(await status(file, nil, port: port) == (requiresTokens ? "404 " : "200 public,"))
      #expect(await status(file, "nonsense", port: port) == "401 ")
      let post =
        "{\"creator_id\":\"\(owner["user_id"]?.stringValue ?? "")\",\"content\":\"p\",\"media_ids\":[\"upload-1\"]}"
      _ = await exchange(
        request("/api/v1/content/post/create", post, headers: authorization(ownerToken)), port: port)
      #expect(await status(file, readerToken, port: port) == "200 public,")
      #expect(await status(file, nil, port: port) == "200 public,")
      let change = #"{"post_id":"post-1","privacy":"followers"}"#
      _ = await exchange(
        request("/api/v1/content/post/update", change, headers: authorization(ownerToken)), port: port)
      #expect(await status(file, readerToken, port: port) == "404 ")
      #expect(await status(file, ownerToken, port: port) == "200 private,")
    }
  }

  private func authorization(_ token: String?) -> String {
    "Authorization: Bearer \(token ?? "")\r\nConnection: close\r\n"
  }

  private func upload(as user: String, token: String, port: UInt16) async throws {
    let start = "{\"user_id\":\"\(user)\",\"file_name\":\"a.png\",\"file_size\":3,\"content_type\":\"image/png\"}"
    _ = await exchange(
      request("/api/v1/media/upload/start", start, headers: authorization(token)), port: port)
    _ = await exchange(
      Array(
        "PUT /api/v1/media/upload/upload-1/bytes HTTP/1.1\r\nHost: 127.0.0.1\r\n\(authorization(token))Content-Length: 3\r\n\r\nabc"
          .utf8), port: port)
    // The digest of "abc".
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let done = await exchange(
      request(
        "/api/v1/media/upload/complete", #"{"upload_id":"upload-1","sha256":"\#(digest)"}"#,
        headers: authorization(token)), port: port)
    try #require(done.contains("/media/upload-1/a.png"), "\(done)")
  }
}
