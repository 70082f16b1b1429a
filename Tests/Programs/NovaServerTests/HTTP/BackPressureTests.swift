import NIOCore
import NovaCore
import NovaCrypto
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// The memory that a server uses for clients that send without reading, or never finish sending.
@Suite struct BackPressureTests {
  private static let followers = #"{"user_id":"mock-user-id","limit":1000}"#
  private static let path = "/api/v1/graph/followers"

  /// The body of a call, made longer by spaces.
  private static func padded(_ body: String, to count: Int) -> String {
    body + String(repeating: " ", count: max(0, count - body.utf8.count))
  }

  /// It is read from again only as it takes its answers, and loses none of them.
  @Test func aClientThatDoesNotReadIsNotReadFrom() async throws {
    let budget = MemoryBudget(limit: 8 << 20, allowance: 64 << 10)
    try await withServer(MockBackend(), budget: budget) { server, port in
      // Small buffers of the system, which are full after few requests and responses.
      let client = try HostileClient(port: port, bufferSize: 64 << 10)
      let call = request(Self.path, Self.padded(Self.followers, to: 16_000))
      let limit = 64 << 20
      let sent = try await client.flood(call, upTo: limit) {
        #expect(await isAnswered(at: port), "others are served meanwhile")
      }
      #expect(sent < limit, "the server took \(sent) bytes of a client that reads nothing")
      #expect(server.heldBytes <= 1 << 20, "it holds \(server.heldBytes) bytes")
      let answers = String(
        decoding: await client.finish(Array(call[(sent % call.count)...])), as: UTF8.self)
      let count = answers.split(separator: "HTTP/1.1 200 OK\r\n", omittingEmptySubsequences: false).count - 1
      #expect(count == sent / call.count + 1, "\(count) answers to \(sent / call.count + 1) requests")
      try await waitUntil { server.openConnections == 0 }
      #expect(server.heldBytes == 0)
    }
  }

  /// What is in the system's buffers when the client ends its side is read at once, and parsed bit by bit.
  @Test func smallPipelinedRequestsStayUnparsed() async throws {
    let budget = MemoryBudget(limit: 4 << 20, allowance: 64 << 10)
    try await withServer(MockBackend(), budget: budget) { server, port in
      let clients = try (0..<8).map { _ in try HostileClient(port: port) }
      let hanging = request(isMutedPath, isMutedBody, headers: "Nova-Fault: hang\r\n")
      let tiny = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      let many = Array(repeating: tiny, count: 3000).flatMap { $0 }
      for client in clients { try client.send(hanging + many) }
      #expect(await isAnswered(at: port))
      #expect(server.heldBytes <= budget.limit)
    }
  }

  @Test func halfSentBodiesShareABudget() async throws {
    let budget = MemoryBudget(limit: 1 << 20, allowance: 16 << 10)
    let large = request(isMutedPath, Self.padded(isMutedBody, to: 512 << 10))
    try await withServer(budget: budget) { server, port in
      do {
        let head = request(isMutedPath, "", headers: "Content-Type: application/json\r\n")
        let half =
          Array(
            String(decoding: head, as: UTF8.self)
              .replacing("Content-Length: 0", with: "Content-Length: \(8 << 20)").utf8)
          + [UInt8](repeating: 0x20, count: 256 << 10)
        let clients = try (0..<40).map { _ in try HostileClient(port: port) }
        for client in clients { try client.send(half) }
        try await waitUntil { server.heldBytes > budget.limit / 2 }
        try await waitUntil {
          let answer = await exchange(large, port: port)
          #expect(server.heldBytes <= budget.limit)
          guard answer.hasPrefix("HTTP/1.1 503 ") else { return false }
          #expect(answer.contains("\r\nRetry-After: 1\r\n") && answer.contains(#"{"code":14,"message":"#), "\(answer)")
          return true
        }
        #expect(await isAnswered(at: port), "what is small needs no room")
        withExtendedLifetime(clients) {}
      }
      try await waitUntil { server.heldBytes == 0 }
      #expect(await exchange(large, port: port).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func responsesShareTheBudget() async throws {
    let budget = MemoryBudget(limit: 0, allowance: 4 << 10)
    try await withServer(MockBackend(), budget: budget) { _, port in
      let refused = await exchange(request(Self.path, Self.followers), port: port)
      #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 1\r\n"), "\(refused)")
      #expect(await isAnswered(at: port))
    }
  }

  /// The system sends files from the disk.
  @Test func slowReadersOfAFileHoldNoneOfIt() async throws {
    let backend = MockBackend(dataSet: .empty)
    let file = [UInt8]((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251) })
    let path = try backend.store(file, name: "walk.mp4", type: "video/mp4")
    let budget = MemoryBudget(limit: 1 << 20, allowance: 64 << 10)
    try await withServer(backend, budget: budget) { server, port in
      let slow = try (0..<40).map { _ in try HostileClient(port: port) }
      for client in slow { try client.send(request(path, verb: "GET")) }
      try await waitUntil { backend.recentRequests().filter { $0.method == "GET" }.count == slow.count }
      #expect(server.heldBytes == 0, "it holds \(server.heldBytes) bytes for them")
      #expect(await isAnswered(at: port))
      let answer = await slow[0].finish()
      #expect(answer.suffix(file.count).elementsEqual(file) && answer.starts(with: Array("HTTP/1.1 200 OK\r\n".utf8)))
    }
  }

  @Test func clientsThatReadNothingAreDisconnected() async throws {
    let backend = MockBackend(dataSet: .empty)
    let path = try backend.store([UInt8](repeating: 7, count: 16 << 20), name: "a.mp4", type: "video/mp4")
    let impatient = ConnectionLimits(stall: .milliseconds(200), period: .milliseconds(20))
    try await withServer(backend, limits: impatient) { server, port in
      let client = try HostileClient(port: port)
      try client.send(request(path, verb: "GET"))
      try await waitUntil { !backend.recentRequests().isEmpty && server.openConnections == 0 }
      withExtendedLifetime(client) {}
    }
  }
}

@Suite struct MemoryBudgetTests {
  @Test func onlyWhatIsBeyondTheAllowanceIsShared() {
    let budget = MemoryBudget(limit: 100, allowance: 10)
    let (one, other) = (MemoryLease(budget), MemoryLease(budget))
    #expect(one.add(10) && budget.heldBytes == 0)
    #expect(one.add(60) && budget.heldBytes == 60)
    #expect(other.add(50) && budget.heldBytes == 100)
    #expect(!other.add(1) && budget.heldBytes == 100, "what is refused is not held")
    one.remove(65)
    #expect(budget.heldBytes == 40)
    one.removeAll()
    #expect(other.add(60) && budget.heldBytes == 100)
  }

  @Test func aLeaseGivesEverythingBack() {
    let budget = MemoryBudget(limit: 100, allowance: 0)
    do {
      let lease = MemoryLease(budget)
      #expect(lease.add(70))
      lease.remove(1000)
      #expect(budget.heldBytes == 0 && lease.add(70))
    }
    #expect(budget.heldBytes == 0)
  }
}

extension MockBackend {
  /// Uploads a file, and returns its path.
  func store(_ file: [UInt8], name: String, type: String) throws -> String {
    func call(_ path: String, _ body: String) throws -> JSONValue {
      try JSONValue(jsonUTF8: respond(to: HTTPRequest(method: .post, url: path, body: Array(body.utf8))).body.inMemory)
    }
    let start = try call(
      "/api/v1/media/upload/start",
      #"{"user_id":"u","file_name":"\#(name)","file_size":\#(file.count),"content_type":"\#(type)"}"#)
    let url = try #require(start["upload_url"]?.stringValue, "\(start)")
    let put = respond(to: HTTPRequest(method: .put, url: url, body: file))
    try #require(put.status == 200)
    let digest = Hexadecimal.encode(try SHA256.digest(of: file))
    let id = try #require(start["upload"]?["id"]?.stringValue)
    let done = try call("/api/v1/media/upload/complete", #"{"upload_id":"\#(id)","sha256":"\#(digest)"}"#)
    return try #require(done["upload"]?["url"]?.stringValue, "\(done)")
  }
}
