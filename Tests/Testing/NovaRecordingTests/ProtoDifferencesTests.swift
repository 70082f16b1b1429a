import NovaAuth
import NovaCore
import NovaGraph
import NovaSocial
import NovaRecording
import NovaTesting
import NovaTestingTraits
import Testing

@Suite struct ProtoDifferencesTests {
  private let likes = GetPostLikesResponse(
    likes: [Like(id: "1", userId: "a", postId: "p", createdAt: 5)], totalCount: 1)

  @Test(arguments: [
    (#"{"likes":[{"id":"1","userId":"a","post_id":"p","created_at":"5"}],"totalCount":1}"#, []),
    (
      #"{"likes":[{"id":"1","user_id":"a","post_id":"p","created_at":"1970-01-01T00:00:05Z"}],"total_count":"1","user_ids":null}"#,
      []
    ),
    (
      #"{"likes":[{"id":"1","user_id":"b","post_id":"p","created_at":5,"x":1}],"total_count":1}"#,
      [#"likes[0].user_id: expected "b", got "a""#, "likes[0].x: expected 1, got nothing"]
    ),
    (
      #"{"total_count":2}"#,
      [
        "likes[0]: expected nothing, got {\"id\":\"1\",\"user_id\":\"a\",\"post_id\":\"p\",\"created_at\":5}",
        "total_count: expected 2, got 1",
      ]
    ),
  ])
  func listsFields(json: String, differences: [String]) throws {
    #expect(try likes.differences(fromJSON: Array(json.utf8)).map(\.description) == differences)
  }

  @Test func equalMessagesDoNotDiffer() throws {
    #expect(try likes.differences(from: likes) == [])
    expectEqual(likes, likes)
    expectEqual(IsFollowingResponse(), json: "{}")
  }

  @Test func masksSecrets() throws {
    let (one, other) = (LoginRequest(email: "a", password: "hunter2"), LoginRequest(email: "a", password: "hunter3"))
    #expect(
      try one.differences(from: other).map(\.description) == ["password: expected a secret, got a secret"])
  }

  @Test func recordsAnIssue() {
    withKnownIssue {
      expectEqual(IsFollowingResponse(isFollowing: true), json: #"{"is_following":false}"#)
    } matching: { issue in
      issue.comments.contains { $0.rawValue == "is_following: expected false, got true" }
    }
  }
}
