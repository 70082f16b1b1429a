import NovaSDK
import NovaTesting
import Testing

@testable import TopFollowers

/// What the tool does, on a mock backend and on fakes.
@Suite struct Rankings {
  @Test func theMostFollowedComesFirst() async throws {
    let (graph, users) = (FakeGraphService(), FakeUserService())
    graph.getFollowers.returns(GetFollowersResponse(userIds: ["a", "b", "c"], totalCount: 3))
    users.getUserProfile.returns(GetUserProfileResponse(profile: UserProfile(id: "star")))
    users.getUserProfilesByIds.returns(
      GetUserProfilesByIdsResponse(
        profiles: [("a", 1), ("b", 3), ("c", 2)].map { UserProfile(id: $0, followerCount: $1) }))
    let found = try await Ranking(graph: graph, users: users).followers(of: "star", sample: 10)
    #expect(found.map(\.id) == ["b", "c", "a"])
    #expect(found.map(\.followerCount) == [3, 2, 1])
  }

  @Test func onlyTheSampleIsRead() async throws {
    var steps: [[Int]] = []
    let found = try await Ranking(NovaClient.mock(.seeded(1))).followers(of: "mock-user-id", sample: 150) {
      steps.append([$0, $1])
    }
    #expect(found.count == 150)
    #expect(steps == [[100, 150], [150, 150]])
  }

  @Test func anUnknownUserIsNotFound() async throws {
    let users = FakeUserService()
    users.getUserProfile.fails(APIError(.notFound, "user \"nobody\""))
    await #expect {
      try await Ranking(graph: FakeGraphService(), users: users).followers(of: "nobody", sample: 1)
    } throws: {
      Failure.code(of: $0) == 5
    }
  }

  @Test(
    arguments: [
      (APIError.Code.unauthorized, 4), (.permissionDenied, 4), (.notFound, 5), (.networkError, 6), (.timeout, 6),
      (.unavailable, 6), (.invalidArgument, 65), (.decodingError, 65), (.cancelled, 130), (.serverError, 1),
    ] as [(APIError.Code, Int32)])
  func failuresHaveTheirExitCodes(_ code: APIError.Code, _ exit: Int32) {
    #expect(Failure.code(of: APIError(code, "x")) == exit)
  }

  @Test func tablesAreAlignedAndFreeOfControlCharacters() {
    let followers = [
      Follower(id: "1", username: "ann\u{1B}[31m", followerCount: 12),
      Follower(id: "2", username: "bob", followerCount: 3),
    ]
    #expect(Output.table(followers) == "12  ann\u{FFFD}[31m\n 3  bob")
    #expect(Output.table([]) == "no followers")
    #expect(Output.json([followers[1]]) == #"[{"id":"2","username":"bob","follower_count":3}]"#)
  }
}
