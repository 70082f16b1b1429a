import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaRecording

/// Passwords that are words of the contract: names and paths keep them, so that a replay gives what was recorded.
@Suite struct WordPasswordTests {
  /// Words that are long enough for a password, and are looked for in texts.
  private static let words = ContractMessages.nova.words.fields.union(ContractMessages.nova.words.segments)
    .filter { $0.utf8.count >= 8 }.sorted()

  @Test func replaysGiveWhatWasRecorded() async throws {
    var generator = SeededGenerator(seed: 41)
    #expect(Self.words.count > 100)
    for word in ["password", "followers", "user_ids", "userIds", "register", "application", "total_count"]
      + TestDepth.cases(Self.words.shuffled(using: &generator), sample: 12)
    {
      let recorder = Recorder(clock: ManualClock())
      let recorded = try await Self.answers(recorder.recording(MockTransport(.seeded(1))), password: word)
      let replayed = try await ReplayTransport.replaying(recorder.cassette) {
        try await Self.answers($0, password: word)
      }
      #expect(replayed == recorded, "\(word)")
      let first = try #require(recorder.cassette.interactions.first)
      #expect(first.rpc == "auth.Register" && first.request.path == "/api/v1/auth/register", "\(word)")
      #expect(try JSONValue(jsonUTF8: first.request.body)["password"] == .string("{{secret:1}}"), "\(word)")
      #expect(recorder.cassette.interactions.map(\.rpc).contains("graph.GetFollowers"), "\(word)")
    }
  }

  private static func answers(_ transport: any HTTPTransport, password: String) async throws -> [String] {
    func call(_ path: String, _ body: String) async throws -> String {
      let response = try await transport.send(.json(.post, path, body: body))
      return "\(response.status) \(response.headers["Content-Type"] ?? "") "
        + String(decoding: response.body.inMemory, as: UTF8.self).replacing(
          #/"(token|refresh_token)":"[^"]*"/#, with: "")
    }
    return [
      try await call(
        "/api/v1/auth/register", #"{"email":"a@b.example","username":"somebody","password":"\#(password)"}"#),
      try await call("/api/v1/graph/followers", #"{"user_id":"mock-user-id","limit":3}"#),
      try await call("/api/v1/content/posts/author", #"{"author_id":"mock-user-id","limit":2}"#),
      try await call("/api/v1/users/profile", #"{"user_id":"mock-user-id"}"#),
      try await call("/api/v1/social/comments", #"{"post_id":"post-1","limit":2}"#),
    ]
  }

  /// Names of other services are masked, and come back in a replay.
  @Test func wordsOfOtherServicesComeBack() async throws {
    let requests: [HTTPRequest] = [
      .json(.post, "/v1/sign-in", body: #"{"password":"inventory"}"#), .json(.get, "/v1/inventory/all"),
    ]
    let body = #"{"inventory":[1,2],"note":"an inventory of 2"}"#
    let cassette = try await recording(requests) { _ in .json(body, headers: ["X-Kind": "inventory"]) }
    try await ReplayTransport.replaying(cassette) { transport in
      for request in requests {
        let response = try await transport.send(request)
        #expect(String(decoding: response.body.inMemory, as: UTF8.self) == body)
        #expect(response.headers["X-Kind"] == "inventory")
      }
    }
  }
}
