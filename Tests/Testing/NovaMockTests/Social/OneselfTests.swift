import NovaCore
import NovaMock
import Testing

@Suite struct OneselfTests {
  private let backend = MockBackend(dataSet: .empty) { 1_764_583_200 }

  private func status(_ path: String, _ body: String) -> Int {
    backend.respond(to: HTTPRequest(method: .post, url: HTTPURL(received: path), body: Array(body.utf8))).status
  }

  @Test(arguments: [
    ("/api/v1/graph/follow", "follower_id", "followee_id"), ("/api/v1/graph/mute", "muter_id", "mutee_id"),
    ("/api/v1/graph/block", "blocker_id", "blocked_id"),
  ])
  func nobodyFollowsMutesOrBlocksThemselves(path: String, one: String, other: String) {
    #expect(status(path, #"{"\#(one)":"a","\#(other)":"b"}"#) == 200)
    #expect(status(path, #"{"\#(one)":"a","\#(other)":"a"}"#) == 400)
  }
}
