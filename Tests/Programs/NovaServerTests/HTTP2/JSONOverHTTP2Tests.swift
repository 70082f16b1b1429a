import NIOHPACK
import NIOCore
import NovaCore
import NovaMedia
import NovaMock
import NovaSupport
import NovaTestSupport
import Testing

@testable import NovaServer

/// What is not gRPC, on the gRPC port.
@Suite struct JSONOverHTTP2Tests {
  private func headers(
    _ path: String, method: String = "POST", _ more: [(String, String)] = [("content-type", "application/json")]
  ) -> [(String, String)] {
    [(":method", method), (":scheme", "http"), (":path", path), (":authority", "127.0.0.1")] + more
  }

  private func request(
    _ client: HTTP2TestClient, _ headers: [(String, String)], body: [UInt8] = []
  ) async throws -> HTTP2TestAnswer {
    let stream = try await client.open(headers, endStream: body.isEmpty)
    if !body.isEmpty { try? await stream.send(body, endStream: true) }
    return await stream.ended()
  }

  private func text(_ answer: HTTP2TestAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test func callsAreAnswered() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await request(client, headers(isMutedPath), body: Array(isMutedBody.utf8))
      #expect(answer.httpStatus == "200" && text(answer) == #"{"is_muted":false}"#)
      #expect(answer.head?.first(name: "content-type") == "application/json")
      #expect(answer.head?.first(name: "content-length") == "18")
      #expect(try await request(client, headers("/nowhere", method: "GET", [])).httpStatus == "404")
    }
  }

  @Test func pagesOfAllowedOriginsAreAnswered() async throws {
    let backend = MockBackend(dataSet: .empty)
    let page = "http://localhost:5173"
    try await withGRPC(backend, allowedOrigins: [page]) { _, client, _ in
      let origin = ("origin", page)
      let asked = try await request(
        client, headers(isMutedPath, method: "OPTIONS", [origin, ("access-control-request-method", "POST")]))
      #expect(asked.httpStatus == "204" && asked.head?.first(name: "access-control-allow-origin") == page)
      let fields = [origin, ("sec-fetch-site", "cross-site"), ("content-type", "application/json")]
      let answer = try await request(client, headers(isMutedPath, fields), body: Array(isMutedBody.utf8))
      #expect(answer.httpStatus == "200" && answer.head?.first(name: "access-control-allow-origin") == page)
      #expect(answer.head?.first(name: "vary") == "Origin")
      // gRPC and HTTP/JSON refuse other pages, and both refusals are logged.
      let other = ("origin", "http://localhost:9999")
      #expect(try await request(client, headers(isMutedPath, [other]), body: Array("{}".utf8)).httpStatus == "403")
      let call = headers("/nova.graph_service.v1.GraphService/IsMuted", [other, ("content-type", "application/grpc")])
      #expect(try await request(client, call, body: framed([])).status == "7")
    }
    let refused = backend.recentRequests().filter { $0.refusal != nil }
    #expect(refused.map(\.protocolName) == ["HTTP", "gRPC"], "\(refused)")
    #expect(refused.allSatisfy { $0.refusal?.contains("--allow-origin http://localhost:9999") == true }, "\(refused)")
  }

  @Test func http1IsAnsweredOnTheSamePort() async throws {
    try await withGRPC { server, _, port in
      #expect(await isAnswered(at: port))
      // One request after the other, in pieces.
      let answer = await exchange(
        Array(NovaServerTests.isMuted.prefix(3)), Array(NovaServerTests.isMuted.dropFirst(3)), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      try await waitUntil { server.openConnections == 1 }
    }
  }

  @Test(arguments: [
    ("", nil), ("P", nil), ("PRI * HTTP/2.", nil), ("PRI * HTTP/2.0", ProtocolDetector.Version.http2),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2), ("POST / HTTP/1.1", .http1), ("PRI * HTTP/1", .http1),
    ("\u{16}\u{3}", .http1),
  ])
  func theFirstBytesDecide(start: String, version: ProtocolDetector.Version?) {
    #expect(ProtocolDetector.detect(Array(start.utf8)) == version)
  }

  @Test func theAdminAPIAndTheInspectorAreThere() async throws {
    try await withGRPC(hasAdmin: true) { _, client, _ in
      let page = try await request(client, headers("/_nova/", method: "GET", []))
      #expect(page.httpStatus == "200" && text(page).contains("<!DOCTYPE html>"))
      let state = try await request(client, headers("/_nova/state", method: "GET", []))
      #expect(text(state).contains(#""seed":1"#))
      let foreign = headers("/_nova/reset", [("content-type", "application/json"), ("origin", "http://other.example")])
      #expect(try await request(client, foreign, body: Array("{}".utf8)).httpStatus == "403")
    }
  }

  @Test(arguments: [
    (":authority", "other.example", "403"), ("host", "other.example", "400"), ("host", "127.0.0.1", "404"),
  ])
  func theAuthorityIsTheHost(name: String, value: String, status: String) async throws {
    try await withGRPC { _, client, _ in
      var headers = headers("/nowhere", method: "GET", [])
      headers.removeAll { $0.0 == name }
      if name == "host" { headers.append((name, value)) } else { headers.insert((name, value), at: 3) }
      let answer = try await request(client, headers)
      #expect(answer.httpStatus == status)
    }
  }

  @Test func bodiesThatAreTooLargeAreRefused() async throws {
    try await withGRPC { _, client, _ in
      let body = [UInt8](repeating: 0x20, count: ReceivedRequest.bodyLimit + 1)
      let answer = try await request(client, headers(isMutedPath), body: body)
      #expect(answer.httpStatus == "413")
    }
  }

  @Test func uploadsAndDownloadsWork() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let begun = try await client.call(
        MediaRPC.startUpload,
        .init(userId: "a", fileName: "a.bin", fileSize: Int64(bytes.count), contentType: "application/octet-stream"))
      let upload = try StartUploadResponse(protobuf: try #require(begun.messages.first))
      let range = "bytes 0-\(bytes.count - 1)/\(bytes.count)"
      let put = try await request(
        client, headers(upload.uploadUrl, method: "PUT", [("content-range", range)]), body: bytes)
      #expect(put.httpStatus == "200", "\(text(put))")
      let digest = Hexadecimal.encode(PlainSHA256.digest(of: bytes))
      let completed = try await client.call(
        MediaRPC.completeUpload, .init(uploadId: upload.upload?.id ?? "", sha256: digest))
      #expect(completed.status == "0", "\(completed.message ?? "")")
      let url = try CompleteUploadResponse(protobuf: try #require(completed.messages.first)).upload?.url ?? ""
      let file = try await request(client, headers(HTTPURL(received: url).path, method: "GET", []))
      #expect(file.httpStatus == "200" && file.body == bytes)
      let head = try await request(client, headers(HTTPURL(received: url).path, method: "HEAD", []))
      #expect(head.body.isEmpty && head.head?.first(name: "content-length") == "\(bytes.count)")
    }
  }

  @Test func serverSentEventsAreStreamed() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let stream = try await client.open(
        headers("/api/v1/events/stream?topics=user:b", method: "GET", []), endStream: true)
      try await waitUntil { stream.answer.body.starts(with: "retry: ".utf8) }
      backend.endEventStreams(.restart)
      let answer = await stream.ended()
      #expect(text(answer).contains("event: end\n") && answer.hasEnded)
    }
  }

  @Test(arguments: ["drop", "cut 3"]) func lostConnections(fault: String) async throws {
    try await withGRPC { _, client, _ in
      let fields = [("content-type", "application/json"), ("nova-fault", fault)]
      let answer = try await request(client, headers(isMutedPath, fields), body: Array(isMutedBody.utf8))
      #expect(!answer.hasEnded && answer.body.count == (fault == "drop" ? 0 : 3))
      try await waitUntil { client.isClosed }
    }
  }

  @Test func webSocketsNeedHTTP1() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await request(client, headers("/api/v1/events/ws", method: "GET", []))
      #expect(answer.httpStatus == "426", "\(text(answer))")
    }
  }
}
