import NovaSDK
import NovaTesting
import ProfileServer
import Testing

/// Over HTTP, on a mock backend.
@Suite struct OnTheMock {
  private func get(_ path: String) async throws -> (status: Int, json: JSONValue) {
    let response = try await answer(to: path, by: ProfileReader(.mock(.seeded(1))))
    return (response.status, try JSONValue(jsonUTF8: response.body.bytes ?? []))
  }

  @Test func aProfileComesWithWhatStandsAroundIt() async throws {
    let (status, page) = try await get("/profiles/mock-user-id")
    #expect(status == 200)
    #expect(page["profile"]?["username"] == .string("bruce_li"))
    #expect(page["followers"]?["total_count"]?.integerValue == 3_021)
    #expect(page["following"]?["total_count"]?.integerValue == 1_500)
    #expect(page["posts"]?["total_count"]?.integerValue == 245)
    for (list, count) in [("followers", 10), ("following", 10), ("posts", 5)] {
      guard case .array(let items) = page[list]?["items"] else {
        Issue.record("\(list) has no items: \(page)")
        continue
      }
      #expect(items.count == count, "\(list)")
    }
  }

  @Test func anUnknownUserIsNotFound() async throws {
    let (status, json) = try await get("/profiles/nobody")
    #expect(status == 404)
    #expect(json["error"]?["code"] == .string("notFound"))
    #expect(json["error"]?["request_id"]?.stringValue?.isEmpty == false)
  }
}

/// On fakes of the services.
@Suite struct OnFakes {
  private let log = FakeLog()
  private let users: FakeUserService
  private let graph: FakeGraphService
  private let content: FakeContentService

  init() {
    (users, graph, content) = (FakeUserService(log: log), FakeGraphService(log: log), FakeContentService(log: log))
    users.getUserProfile.returns(GetUserProfileResponse(profile: UserProfile(id: "ann")))
    graph.getFollowers.returns(GetFollowersResponse())
    graph.getFollowing.returns(GetFollowingResponse())
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse())
  }

  private var reader: ProfileReader { ProfileReader(users: users, graph: graph, content: content) }

  @Test func theCallsAreMadeAtTheSameTime() async throws {
    let gate = FakeGate()
    users.getUserProfile.plays([.returns(GetUserProfileResponse(profile: UserProfile(id: "ann"))).after(gate)])
    graph.getFollowers.plays([.returns(GetFollowersResponse(totalCount: 1)).after(gate)])
    graph.getFollowing.plays([.returns(GetFollowingResponse(totalCount: 2)).after(gate)])
    content.getPostsByAuthor.plays([.returns(GetPostsByAuthorResponse(totalCount: 3)).after(gate)])
    async let page = reader.page(userId: "ann")
    // All four have come, and none is answered.
    try await log.waitForCalls(4)
    gate.open()
    let counts = try await [page.followers.totalCount, page.following.totalCount, page.posts.totalCount]
    #expect(counts == [1, 2, 3])
  }

  @Test(arguments: [false, true]) func whatIsNotForEverybodyStaysHere(_ isPrivate: Bool) async throws {
    let profile = UserProfile(id: "ann", email: "ann@example.com", isPrivate: isPrivate)
    users.getUserProfile.returns(GetUserProfileResponse(profile: profile))
    graph.getFollowers.returns(GetFollowersResponse(userIds: ["bob"], totalCount: 1))
    let posts = ["", "public", "followers", "private"].map { Post(id: "for \($0)", privacy: $0) }
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse(posts: posts, totalCount: 4))
    let page = try await reader.page(userId: "ann")
    #expect(page.profile.email == "")
    #expect(page.followers.items == (isPrivate ? [] : ["bob"]))
    #expect(page.posts.items.map(\.id) == (isPrivate ? [] : ["for ", "for public"]))
  }

  @Test(arguments: [
    (APIError.Code.invalidArgument, 400), (.permissionDenied, 403), (.notFound, 404), (.unavailable, 503),
    (.rateLimited, 503), (.timeout, 504), (.networkError, 502), (.unauthorized, 502), (.serverError, 502),
  ])
  func failuresHaveTheirStatus(_ code: APIError.Code, _ status: Int) async throws {
    content.getPostsByAuthor.fails(APIError(code, "a sentence", requestID: "r-1", server: ServerError(message: "<b>")))
    let response = try await answer(to: "/profiles/ann", by: reader)
    #expect(response.status == status)
    #expect(response.headers["Content-Type"]?.hasPrefix("application/json") == true)
    let body = String(decoding: response.body.bytes ?? [], as: UTF8.self)
    #expect(body.contains(#""code":"\#(code.rawValue)""#) && body.contains("a sentence") && body.contains("r-1"))
    #expect(!body.contains("<b>"), "what the gateway says is not for everybody")
  }
}
