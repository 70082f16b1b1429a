import NovaSDK
import NovaTesting
import ProfileServer
import Testing

/// Over HTTP, on a mock backend.
@Suite struct ProfilesOnTheMock {
  private func page(_ response: HTTPResponse) throws -> JSONValue {
    try JSONValue(jsonUTF8: response.body.bytes ?? [])
  }

  @Test func aProfileComesWithWhatStandsAroundIt() async throws {
    let response = try await withServer(.mock(.seeded(1))) { try await $0.get("/profiles/mock-user-id") }
    let page = try page(response)
    #expect(response.status == 200)
    #expect(page["profile"]?["username"] == .string("bruce_li"))
    #expect(page["followers"]?["total_count"]?.integerValue == 3_021)
    #expect(page["following"]?["total_count"]?.integerValue == 1_500)
    for (list, count) in [("followers", 10), ("following", 10), ("posts", 5)] {
      guard case .array(let items) = page[list]?["items"] else {
        Issue.record("\(list) has no items: \(page)")
        continue
      }
      #expect(items.count == count, "\(list)")
    }
  }

  @Test func anUnknownUserIsNotFound() async throws {
    let response = try await withServer(.mock(.seeded(1))) { try await $0.get("/profiles/nobody") }
    #expect(response.status == 404)
    let json = try page(response)
    #expect(json["error"]?["code"] == .string("notFound"))
    #expect(json["error"]?["request_id"]?.stringValue?.isEmpty == false)
  }

  @Test func eachCallerSeesWhatTheyMaySee() async throws {
    let nova = NovaClient.mock()
    let ann = try await Account("ann", on: nova)
    let bob = try await Account("bob", on: nova)
    _ = try await ann.nova.users.updateUserProfile(userId: ann.id, bio: "for friends", isPrivate: true)
    _ = try await ann.nova.content.createPost(creatorId: ann.id, content: "for friends")
    try await withServer(nova) { server in
      func read(_ token: AccessToken?) async throws -> (bio: String?, email: String?, posts: JSONValue?) {
        let page = try page(await server.get("/profiles/\(ann.id)", token: token))
        #expect(page["profile"]?["username"] == .string("ann"))
        let profile = page["profile"]
        return (profile?["bio"]?.stringValue, profile?["email"]?.stringValue, page["posts"]?["items"])
      }
      let own = try await read(ann.token)
      #expect(own.bio == "for friends")
      #expect(own.email == "ann@nova.example")
      #expect(own.posts != .array([]))
      for token in [nil, bob.token] {
        let other = try await read(token)
        #expect((other.bio ?? "") == "")
        #expect((other.email ?? "") == "")
        #expect(other.posts == .array([]))
      }
      try await bob.nova.graph.followUser(followerId: bob.id, followeeId: ann.id)
      let followers = try await read(bob.token)
      #expect(followers.bio == "for friends")
      #expect((followers.email ?? "") == "", "an e-mail address is for the user alone")
    }
  }

  @Test(arguments: ["", "Bearer", "Bearer ", "Basic YW5uOnB3", "Bearer two tokens", "Bearer a,b\u{e9}", "token"])
  func malformedTokensAreRefused(_ header: String) async throws {
    let wire = Wire(MockBackend())
    let nova = NovaClient(configuration: .builtIn, transport: wire)
    for path in ["/profiles/mock-user-id", "/events"] {
      let response = try await withServer(nova) { try await $0.get(path, headers: ["Authorization": header]) }
      #expect(response.status == 401)
      #expect(response.headers["WWW-Authenticate"] == "Bearer")
    }
    #expect(await wire.requests.isEmpty)
  }

  @Test func whatTheGatewayRefusesIs401() async throws {
    let unknown = try AccessToken("not.of.this-gateway")
    try await withServer(.mock(MockBackend(requiresTokens: true))) { server in
      for (path, token) in [("/profiles/mock-user-id", unknown), ("/events", unknown), ("/events", nil)] {
        let response = try await server.get(path, token: token)
        #expect(response.status == 401, "\(path)")
        #expect(response.headers["WWW-Authenticate"] == "Bearer")
      }
    }
  }
}

/// On fakes of the services.
@Suite struct ProfilesOnFakes {
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

  private func get(_ path: String, token: AccessToken? = nil) async throws -> HTTPResponse {
    let reader = reader
    return try await withServer(.mock(), reader: { _ in reader }) { try await $0.get(path, token: token) }
  }

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

  @Test(arguments: [false, true]) func strangersSeeWhatIsForEverybody(_ isPrivate: Bool) async throws {
    let profile = UserProfile(id: "ann", email: "ann@example.com", bio: "about", isPrivate: isPrivate, postCount: 4)
    users.getUserProfile.returns(GetUserProfileResponse(profile: profile))
    graph.getFollowers.returns(GetFollowersResponse(userIds: ["bob"], totalCount: 1))
    let posts = ["", "public", "followers", "private"].map { Post(id: "for \($0)", privacy: $0) }
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse(posts: posts, totalCount: 4))
    let stranger = String(decoding: try await get("/profiles/ann").body.bytes ?? [], as: UTF8.self)
    #expect(!stranger.contains("ann@example.com") && !stranger.contains("for followers"))
    #expect(stranger.contains("about") == !isPrivate)
    #expect(stranger.contains("bob") == !isPrivate)
    #expect(stranger.contains("for public") == !isPrivate)
    // With a token, the gateway has left out what its user may not see.
    let user = try await get("/profiles/ann", token: AccessToken("a-token"))
    let text = String(decoding: user.body.bytes ?? [], as: UTF8.self)
    #expect(text.contains("ann@example.com") && text.contains("for followers") && text.contains("bob"))
  }

  @Test(arguments: [
    (APIError.Code.invalidArgument, 400), (.unauthorized, 401), (.permissionDenied, 403), (.notFound, 404),
    (.unavailable, 503), (.rateLimited, 503), (.timeout, 504), (.networkError, 502), (.serverError, 502),
  ])
  func failuresHaveTheirStatus(_ code: APIError.Code, _ status: Int) async throws {
    var error = APIError(code, "at 10.0.0.7:8080", requestID: "r-1", server: ServerError(message: "<b>"))
    error.retryAfter = .milliseconds(1_200)
    content.getPostsByAuthor.fails(error)
    let response = try await get("/profiles/ann")
    #expect(response.status == status)
    #expect(response.headers["Content-Type"]?.hasPrefix("application/json") == true)
    #expect(response.headers["Retry-After"] == "2")
    let body = String(decoding: response.body.bytes ?? [], as: UTF8.self)
    #expect(body.contains(#""code":"\#(code.rawValue)""#))
    #expect(!body.contains("<b>"), "what the gateway says is not for everybody")
    #expect(body.contains("10.0.0.7") == (status < 500), "nor is where it is")
  }
}
