import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// Ids and keys that the caller chose.
@Suite struct CallerKeysTests {
  private let transport = RecordingTransport(#"{"success":true}"#)
  private let follow = CreateFollowRequest(followerId: "a", followeeId: "b")

  /// A server hands its caller's request id on with all it does; its calls are different ones all the same.
  @Test func callsUnderOneRequestIDAreNotRepetitionsOfEachOther() async throws {
    let client = try APIClient.test(transport)
    for _ in 0..<2 {
      _ = try await client.call(GraphRPC.createFollow, follow, options: CallOptions(requestID: "mine"))
    }
    #expect(transport.requests.map { $0.headers["X-Request-ID"] } == ["mine", "mine"])
    let keys = Set(transport.requests.map { $0.headers["Idempotency-Key"] })
    #expect(keys.count == 2 && !keys.contains("mine") && !keys.contains(nil))
  }

  @Test func emptyTextIsNoIDAndNoKey() async throws {
    let client = try APIClient.test(transport)
    let response = try await client.respond(
      GraphRPC.createFollow, follow, options: CallOptions(requestID: "", idempotencyKey: ""))
    let headers = try #require(transport.requests.first?.headers)
    #expect(headers["X-Request-ID"] == response.requestID && !response.requestID.isEmpty)
    #expect(headers["Idempotency-Key"]?.isEmpty == false)
  }

  @Test func aKeyOfTenKilobytesArrivesAsItIs() async throws {
    let key = String(repeating: "k", count: 10_000)
    let client = try APIClient.test(transport)
    _ = try await client.call(
      GraphRPC.createFollow, follow, options: CallOptions(requestID: key, idempotencyKey: key))
    #expect(transport.requests.first?.headers["Idempotency-Key"] == key)
    #expect(transport.requests.first?.headers["X-Request-ID"] == key)
  }
}
