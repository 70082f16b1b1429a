import NovaAnalytics
import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

/// The calls with plain arguments, on whatever has the RPCs.
@Suite struct ServiceProtocolTests {
  private static let fakes: [any FakeService] = [
    FakeAnalyticsService(), FakeAnnouncementsService(), FakeAuthService(), FakeCaptureService(), FakeContentService(),
    FakeEventService(), FakeFeedService(), FakeGraphService(), FakeMediaService(), FakeSocialService(),
    FakeUserService(),
  ]

  @Test func theFakesHaveEveryRPC() {
    let ids = Self.fakes.flatMap { fake in
      Mirror(reflecting: fake).children.compactMap { Mirror(reflecting: $0.value).descendant("id") as? String }
    }
    #expect(ids.sorted() == (RPCRegistry.nova.rpcs.map(\.id) + ["media.UploadImage"]).sorted())
  }

  @Test func responsesAreValidatedAsOnTheRealService() async throws {
    let (graph, content) = (FakeGraphService(), FakeContentService())
    graph.createFollow.returns(CreateFollowResponse(success: false))
    let refused = await apiError { try await graph.followUser(followerId: "a", followeeId: "b") }
    #expect(refused?.description == "graph.CreateFollow: the server did not do it (HTTP 200)")
    content.getPost.plays([.returns(GetPostResponse(found: false)), .returns(GetPostResponse(found: true))])
    #expect(try await content.getPost(postId: "p") == nil)
    let empty = await apiError { try await content.getPost(postId: "p") }
    #expect(empty?.code == .invalidResponse)
    #expect(empty?.requestID == nil)
  }

  /// Errors about a response name the call, also through the protocol.
  @Test func realServicesWorkBehindTheirProtocol() async throws {
    let transport = StubTransport([.call(GraphRPC.createFollow, answer: CreateFollowResponse(success: false))])
    let graph: any GraphServiceProtocol = GraphService(client: try APIClient.test(transport))
    let refused = await apiError { try await graph.followUser(followerId: "a", followeeId: "b") }
    #expect(refused?.code == .failedPrecondition)
    #expect(refused?.requestID?.isEmpty == false)
    #expect(refused?.attempts.count == 1)
  }

  @Test func batchesAndListsEndInTheRPCs() async throws {
    let fake = FakeGraphService()
    let graph: any GraphServiceProtocol = fake
    fake.batchCheckFollowing.runs { request in
      BatchCheckFollowingResponse(results: Dictionary(uniqueKeysWithValues: request.followeeIds.map { ($0, true) }))
    }
    let ids = (0..<250).map { "user-\($0)" }
    #expect(try await graph.batchCheckFollowing(followerId: "a", followeeIds: ids).count == 250)
    #expect(fake.batchCheckFollowing.requests.map(\.followeeIds.count).sorted() == [50, 100, 100])

    fake.getFollowers.runs { request in
      let page = ids.dropFirst(Int(request.offset)).prefix(Int(request.limit))
      return GetFollowersResponse(userIds: Array(page), totalCount: ids.count)
    }
    var followers: [String] = []
    for try await id in graph.followers(of: "a", pageSize: 100) { followers.append(id) }
    #expect(followers == ids)
    #expect(fake.getFollowers.requests.map(\.offset) == [0, 99, 198], "pages overlap by an item")
  }

  @Test func uploadsAreOneCall() async throws {
    let fake = FakeMediaService()
    fake.uploadImage.returns("/images/1")
    let media: any MediaServiceProtocol = fake
    #expect(try await media.uploadImage(image: [1, 2], userId: "ann", contentType: "image/png") == "/images/1")
    #expect(fake.uploadImage.requests == [ImageUpload(image: [1, 2], userId: "ann", contentType: "image/png")])
    #expect(fake.calls.map(\.description) == ["media.UploadImage ImageUpload"])
  }

  @Test func signingInNeedsItsToken() async throws {
    let fake = FakeAuthService()
    fake.login.returns(LoginResponse(userId: "ann"))
    let auth: any AuthServiceProtocol = fake
    let error = await apiError { try await auth.login(email: "ann@example.com", password: "a-password") }
    #expect(error?.description == "auth.Login: the response contains no token (HTTP 200)")
  }
}
