import NIOHPACK
import NIOCore
import NovaCore
import NovaGraph
import NovaMock
import Testing

@testable import NovaServer

/// Requests that are not as gRPC defines them.
@Suite struct RequestFormTests {
  private static let isMutedPath = "/nova.graph_service.v1.GraphService/IsMuted"

  struct Malformed: Sendable, CustomTestStringConvertible {
    let name: String
    let body: [UInt8]
    var metadata: [(String, String)] = []
    let status: String

    var testDescription: String { name }
  }

  static let malformed = [
    Malformed(name: "no message", body: [], status: "12"),
    Malformed(name: "two messages", body: framed([]) + framed([]), status: "12"),
    Malformed(name: "undefined flags", body: framed([], flags: 2), status: "13"),
    Malformed(name: "half a prefix", body: [0, 0, 0], status: "13"),
    Malformed(name: "half a message", body: Array(framed([8, 1]).dropLast()), status: "13"),
    Malformed(name: "bytes after the message", body: framed([]) + [0], status: "13"),
    Malformed(name: "4 MiB and a byte", body: [0, 0, 0x40, 0, 1], status: "8"),
    Malformed(name: "2 GiB", body: [0, 0x7F, 0xFF, 0xFF, 0xFF], status: "8"),
    Malformed(name: "no protobuf", body: framed([0xFF, 0xFF]), status: "13"),
    Malformed(name: "compressed without a compression", body: framed([], flags: 1), status: "13"),
    Malformed(
      name: "not gzip", body: framed([1, 2, 3], flags: 1), metadata: [("grpc-encoding", "gzip")], status: "13"),
    Malformed(name: "unknown compression", body: framed([]), metadata: [("grpc-encoding", "br")], status: "12"),
    Malformed(name: "no timeout", body: framed([]), metadata: [("grpc-timeout", "1 second")], status: "13"),
  ]

  @Test(arguments: malformed) func malformedRequestsFail(_ request: Malformed) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(Self.isMutedPath, body: request.body, request.metadata)
      #expect(answer.status == request.status, "\(answer.message ?? "no message")")
      #expect(answer.trailers == nil && answer.hasEnded)
      if request.metadata.first?.1 == "br" {
        #expect(answer.head?.first(name: "grpc-accept-encoding") == GRPCCompression.supported)
      }
      #expect(try await client.call(Self.isMutedPath, body: framed([])).status == "3")
    }
  }

  @Test(arguments: [
    ("/nova.graph_service.v1.GraphService/Nothing", "12"), ("/nova.Nothing/IsMuted", "12"), ("/IsMuted", "12"),
    ("/", "12"),
    ("/nova.graph_service.v1.GraphService/IsMuted/", "12"), ("/nova.graph_service.v1.graphservice/IsMuted", "12"),
  ])
  func unknownMethodsAreUnimplemented(path: String, status: String) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(path, body: framed([]))
      #expect(answer.status == status)
    }
  }

  @Test(arguments: [
    ("application/grpc", "200"), ("application/grpc+proto", "200"), ("application/grpc; charset=utf-8", "200"),
    ("APPLICATION/GRPC", "200"), ("application/grpc+thrift", "415"), ("application/grpc-web", "415"),
    ("application/json", "415"), ("text/plain", "415"),
  ])
  func contentTypes(type: String, status: String) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(Self.isMutedPath, body: framed([0x0A, 1, 0x61, 0x12, 1, 0x62]), type: type)
      #expect(answer.httpStatus == status && answer.status == (status == "200" ? "0" : "2"))
    }
  }

  @Test func onlyPOSTIsAllowed() async throws {
    try await withGRPC { _, client, _ in
      let stream = try await client.open(grpcHeaders(Self.isMutedPath, method: "GET"), endStream: true)
      #expect(await stream.ended().httpStatus == "405")
    }
  }

  @Test(arguments: [("other.example", "7"), ("127.0.0.1", "3"), ("localhost:80", "3")])
  func theAuthorityIsChecked(authority: String, status: String) async throws {
    try await withGRPC { _, client, _ in
      var headers = grpcHeaders(Self.isMutedPath)
      headers[3].1 = authority
      let stream = try await client.open(headers)
      try? await stream.send(framed([]), endStream: true)
      #expect(await stream.ended().status == status)
    }
  }

  @Test(arguments: [
    ("1S", 1_000_000_000), ("20m", 20_000_000), ("99999999H", Int64.max), ("5u", 5000), ("7n", 7),
    ("2M", 120_000_000_000),
    ("", nil), ("S", nil), ("1", nil), ("1s", nil), ("-1S", nil), ("123456789S", nil), ("1.5S", nil), ("１S", nil),
  ])
  func timeouts(text: String, nanoseconds: Int64?) {
    #expect((try? GRPCTimeout.parse(text))?.nanoseconds == nanoseconds)
  }

  /// Messages come in any pieces.
  @Test(arguments: [1, 2, 3, 7, 100]) func messagesArriveInPieces(size: Int) throws {
    let messages: [[UInt8]] = [[], [1], Array(repeating: 7, count: 300)]
    let bytes = messages.flatMap { framed($0) }
    var (deframer, found) = (GRPCDeframer(.identity), [[UInt8]]())
    for start in stride(from: 0, to: bytes.count, by: size) {
      deframer.append(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
      while let message = try deframer.next() { found.append(message) }
    }
    #expect(found == messages && deframer.pendingCount == 0)
  }

  @Test func compressedMessagesAreReadAndWritten() async throws {
    let text = [UInt8](repeating: 0x61, count: 3000)
    var request = IsMutedRequest(muterId: String(decoding: text, as: UTF8.self), muteeId: "b")
    let compressed = try #require(Gzip.compress(try request.protobuf()[...], after: 0))
    #expect(try Gzip.decompress(compressed, upTo: 4000) == (try request.protobuf()))
    #expect(try Gzip.decompress(compressed + compressed, upTo: 8000) == (try request.protobuf() + request.protobuf()))
    #expect(throws: Gzip.Problem.tooLarge) { try Gzip.decompress(compressed, upTo: 2999) }
    #expect(throws: Gzip.Problem.tooLarge) { try Gzip.decompress(compressed + compressed, upTo: 4000) }
    #expect(throws: Gzip.Problem.invalid) { try Gzip.decompress(compressed.dropLast(), upTo: 4000) }
    #expect(throws: Gzip.Problem.invalid) { try Gzip.decompress(compressed + [0], upTo: 4000) }
    request.muterId = "a"
    try await withGRPC(MockBackend()) { _, client, _ in
      let followers = framed(try GetFollowersRequest(userId: "mock-user-id", limit: 100).protobuf())
      let accepts = [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "deflate, gzip")]
      let method = path(of: GraphRPC.getFollowers.descriptor)
      let answer = try await client.call(method, body: followers, accepts)
      #expect(answer.head?.first(name: "grpc-encoding") == "gzip" && answer.body.first == 1)
      let plain = try await client.call(method, body: followers)
      #expect(plain.head?.first(name: "grpc-encoding") == nil && plain.body.first == 0)
      let message = try Gzip.decompress(try #require(answer.messages.first), upTo: 1 << 20)
      #expect(message == plain.messages.first)
    }
  }
}
