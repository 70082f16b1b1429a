import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// Who may see which events, at the beginning of a stream and later.
@Suite(.hangLimit) struct EventPermissionTests {
  private let world = EventWorld()

  @Test func aPrivateUsersTopicsAreForFollowers() async throws {
    let (ann, annToken) = try world.user("ann")
    let (bob, bobToken) = try world.user("bob")
    let (_, eveToken) = try world.user("eve")
    let post = try world.post(by: ann)
    try world.follow(bob, ann)
    try world.makePrivate(ann)
    for topic in ["user:\(ann)", "feed:\(ann)", "post:\(post)"] {
      for (token, status) in [(annToken, 200), (bobToken, 200), (eveToken, 403), (nil, 200)] {
        #expect(try await world.response([topic], token: token).status == status, "\(topic)")
      }
    }
  }

  @Test func aUserWhoBecomesPrivateLeavesStrangersStreams() async throws {
    let (ann, _) = try world.user("ann")
    let (bob, _) = try world.user("bob")
    let (_, eveToken) = try world.user("eve")
    let post = try world.post(by: ann)
    let streams = [
      try await world.stream(["user:\(ann)", "user:\(bob)"], token: eveToken),
      try await world.stream(["post:\(post)", "user:\(bob)"], token: eveToken),
    ]
    try world.makePrivate(ann)
    _ = try world.post(by: ann)
    _ = try world.mock.call(ContentRPC.updatePost, UpdatePostRequest(postId: post, content: "secret"))
    _ = try world.mock.call(ContentRPC.deletePost, DeletePostRequest(postId: post, deletedById: ann))
    _ = try world.post(by: bob)
    for stream in streams {
      let event = try #require(try await stream.event())
      #expect(try Event(jsonUTF8: Array(event.data.utf8)).actorId == bob)
    }
  }

  @Test func aFeedHasThePostsOfThoseWhomItsUserFollows() async throws {
    let (ann, token) = try world.user("ann")
    let (_, strangersToken) = try world.user("stranger")
    for name in ["bob", "muted", "blocked", "eve"] { if name != "eve" { try world.follow(ann, name) } }
    let start = world.backend.eventPosition
    _ = try world.mock.call(GraphRPC.createMute, CreateMuteRequest(muterId: ann, muteeId: "muted"))
    _ = try world.mock.call(GraphRPC.createBlock, CreateBlockRequest(blockerId: "blocked", blockedId: ann))
    for author in ["muted", "blocked", "eve", ann] { _ = try world.post(by: author) }
    _ = try world.post(by: "bob", privacy: "private")
    _ = try world.post(by: "bob", status: "draft")
    let forFollowers = try world.post(by: "bob", privacy: "followers")
    let forAll = try world.post(by: "bob")
    let stream = try await world.stream(["feed:\(ann)"], after: start, token: token)
    let posts = try await stream.events(2).map { try Event(jsonUTF8: Array($0.data.utf8)).postId }
    #expect(posts == [forFollowers, forAll])
    #expect(try world.list(["feed:\(ann)"], after: start, token: token).events.map(\.postId) == posts)
    #expect(try world.list(["feed:\(ann)"], after: start).events.map(\.postId) == posts, "without a token")
    let forStranger = try world.list(["feed:\(ann)"], after: start, token: strangersToken).events
    #expect(forStranger.map(\.postId) == [forAll])
  }

  @Test func blockedUsersMayNotRead() async throws {
    let (ann, _) = try world.user("ann")
    let (eve, token) = try world.user("eve")
    let stream = try await world.stream(["user:\(ann)", "me"], token: token)
    _ = try world.mock.call(GraphRPC.createBlock, CreateBlockRequest(blockerId: ann, blockedId: eve))
    _ = try world.post(by: ann)
    _ = try world.post(by: eve)
    #expect(try Event(jsonUTF8: Array(try #require(try await stream.event()).data.utf8)).actorId == eve)
    #expect(try await world.response(["user:\(ann)"], token: token).status == 403)
  }

  /// An event is delivered if its reader may see the post then and now, also by what was listed before.
  @Test func eventsOfAHiddenPostAreNotDelivered() async throws {
    let (ann, _) = try world.user("ann")
    let (eve, token) = try world.user("eve")
    let post = try world.post(by: ann)
    _ = try world.mock.call(SocialRPC.createLike, .init(userId: eve, postId: post))
    let topics = ["user:\(ann)", "me"]
    func types() throws -> [String] {
      try world.list(topics, after: world.beginning, limit: 100, token: token).events.map(\.type)
    }
    let stream = try await world.stream(topics, after: world.beginning, token: token)
    #expect(try await stream.events(2).map(\.type) == ["post.created", "like.created"])
    #expect(try types() == ["post.created", "like.created"])
    func setPrivacy(_ privacy: String) throws {
      _ = try world.mock.call(ContentRPC.updatePost, .init(postId: post, privacy: privacy))
    }
    try setPrivacy("private")
    #expect(try types().isEmpty)
    let resumed = try await world.stream(topics, after: world.beginning, token: token)
    _ = try world.mock.call(SocialRPC.createLike, .init(userId: ann, postId: post))
    try setPrivacy("public")
    let afterwards = ["post.created", "like.created", "post.updated"]
    #expect(try types() == afterwards, "what happened while the post was private stays hidden")
    #expect(try await resumed.events(3).map(\.type) == afterwards)
    try setPrivacy("private")
    _ = try world.mock.call(ContentRPC.deletePost, .init(postId: post, deletedById: ann))
    #expect(try types().isEmpty, "a deleted post stays as private as it was")
  }

  @Test func privatePostsAreNotCountedForOthers() throws {
    let (ann, annToken) = try world.user("ann")
    let (_, token) = try world.user("eve")
    _ = try world.post(by: ann, privacy: "private")
    _ = try world.post(by: ann)
    func counts(_ token: String) throws -> [Int64?] {
      try world.list(["user:\(ann)"], after: world.beginning, token: token).events.map { $0.counts["post_count"] }
    }
    #expect(try counts(token) == [1])
    #expect(try counts(annToken) == [1, 1])
  }

  @Test func meIsOnesOwn() async throws {
    let (ann, annToken) = try world.user("ann")
    let (bob, bobToken) = try world.user("bob")
    try world.follow(ann, bob)
    #expect(try world.types("me", token: annToken) == ["follow.created"])
    #expect(try world.types("me", token: bobToken) == ["follow.created"])
    #expect(try await world.response(["me"]).status == 401)
  }

  @Test func tokensAreRequiredIfTheBackendRequiresThem() async throws {
    let backend = MockBackend(dataSet: .empty, requiresTokens: true)
    let request = HTTPRequest(method: .get, url: "/api/v1/events/stream?topics=user:ann")
    #expect(try await backend.answer(request).status == 401)
  }
}
