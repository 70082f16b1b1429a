import Digests
import NovaSDK
import NovaTesting
import Testing

/// Two users of one client, on a mock backend that requires tokens.
@Suite struct DigestTests {
  private let backend = MockBackend(requiresTokens: true)
  private let nova: NovaClient

  init() { nova = .mock(backend) }

  /// Signs a user up, and returns the user's token and ID.
  private func signUp(_ name: String) async throws -> (token: String, id: String) {
    let account = try await nova.auth.register(
      email: "\(name)@nova.example", username: name, password: "correct horse")
    return (account.token, account.userId)
  }

  private func caller(_ token: String?, timeLimit: Duration = .seconds(5)) async throws -> Caller {
    try await Caller(token: token, on: nova, timeLimit: timeLimit, requestID: "test")
  }

  @Test func eachCallerSeesTheirOwnPrivatePosts() async throws {
    let (ann, bob) = (try await signUp("ann"), try await signUp("bob"))
    let asAnn = try await caller(ann.token)
    try await asAnn.nova.content.createPost(creatorId: ann.id, content: "for me", privacy: .onlyMe)
    #expect(try await Digest(of: asAnn).posts == ["for me"])
    let bobsView = try await caller(bob.token).nova.content.getPostsByAuthor(authorId: ann.id)
    #expect(bobsView.posts.isEmpty)
  }

  @Test func nobodyGetsWhatIsKeptForAnotherUser() async throws {
    let service = DigestService()
    let (ann, bob) = (try await signUp("ann"), try await signUp("bob"))
    #expect(try await service.digest(for: caller(ann.token)).name == "ann")
    #expect(try await service.digest(for: caller(bob.token)).name == "bob")
    #expect(try await service.digest(for: caller(ann.token)).name == "ann")
  }

  @Test func aDigestIsKeptForTheUserAndNotForTheToken() async throws {
    let service = DigestService()
    let ann = try await signUp("ann")
    let before = try await service.digest(for: caller(ann.token))
    try await caller(ann.token).nova.content.createPost(creatorId: ann.id, content: "new")
    let next = try await nova.auth.login(LoginRequest(email: "ann@nova.example", password: "correct horse"))
    #expect(try await service.digest(for: caller(next.token)) == before)
    try await service.forget(caller(next.token))
    #expect(try await service.digest(for: caller(next.token)).posts == ["new"])
  }

  @Test(arguments: [nil, "", "two words", "not-a-token-of-this-gateway"])
  func withoutAValidTokenThereIsNoCaller(_ token: String?) async throws {
    await #expect { try await caller(token) } throws: { ($0 as? APIError)?.code == .unauthorized }
  }

  @Test func subscribersWorkWithoutARequest() async throws {
    let subscribers = Subscribers(nova)
    for name in ["ann", "bob"] { _ = try await signUp(name) }
    let ann = try await subscribers.signIn(email: "ann@nova.example", password: "correct horse")
    let bob = try await subscribers.signIn(email: "bob@nova.example", password: "correct horse")
    let asAnn = try #require(await subscribers.services(as: ann))
    let asBob = try #require(await subscribers.services(as: bob))
    try await asAnn.graph.followUser(followerId: ann, followeeId: bob)
    await #expect { try await asBob.graph.followUser(followerId: ann, followeeId: "mock-user-id") } throws: {
      ($0 as? APIError)?.code == .permissionDenied
    }
    try await subscribers.signOut(ann)
    let afterwards = await subscribers.services(as: ann)
    #expect(afterwards == nil)
    await #expect { try await asAnn.graph.followUser(followerId: ann, followeeId: bob) } throws: {
      ($0 as? APIError)?.code == .unauthorized
    }
    try await asBob.graph.followUser(followerId: bob, followeeId: ann)
  }

  @Test func aSlowGatewayDoesNotOutliveTheRequest() async throws {
    let ann = try await signUp("ann")
    let asAnn = try await caller(ann.token, timeLimit: .milliseconds(300))
    backend.faults = try Faults(["graph.GetFollowers=hang"])
    do {
      _ = try await Digest(of: asAnn)
      Issue.record("the gateway does not answer")
    } catch let error as APIError {
      #expect(Failure(error) == Failure(APIError(.timeout, "")))
    }
  }

  @Test func aBrokenGatewayIsNotQuoted() async throws {
    let ann = try await signUp("ann")
    let asAnn = try await caller(ann.token)
    backend.faults = try Faults(["user.GetUserProfile=501"])
    do {
      _ = try await Digest(of: asAnn)
      Issue.record("the gateway fails")
    } catch let error as APIError {
      #expect(Failure(error) == Failure(APIError(.unimplemented, "")))
      #expect(!Failure(error).message.contains("fault"))
    }
  }
}
