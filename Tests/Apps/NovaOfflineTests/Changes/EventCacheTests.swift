import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaOffline

/// What is stored follows the events that a program gets.
@Suite(.hangLimit) struct EventCacheTests {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  let bob: OfflineWorld.User
  let post: String

  init() throws {
    ada = try world.program(of: world.newUser("ada"))
    bob = try world.newUser("bob")
    let request = CreatePostRequest(creatorId: bob.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: bob.token).post?.id ?? ""
  }

  private func event(_ type: String, secondsAgo: Int64 = 0, change: (inout Event) -> Void = { _ in }) -> Event {
    var event = Event(
      id: "1:\(type)", type: type, actorId: bob.id, subjectId: bob.id,
      createdAt: Int64(world.clock.unixTime) - secondsAgo
    )
    event.postId = post
    change(&event)
    return event
  }

  private func likes() async throws -> (count: Int64, source: ResponseSource)? {
    try await ada.stored(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post)).map { ($0.value.count, $0.source) }
  }

  @Test func aSubscriptionKeepsWhatIsStoredUpToDate() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    _ = try await ada.social.getPostLikes(postId: post)
    let updates = EventService(client: ada.client).subscribe(topics: [.post(post)])
    try await updates.begin()
    world.advance(seconds: 12)
    _ = try world.mock.call(SocialRPC.createLike, .init(userId: bob.id, postId: post), token: bob.token)
    var iterator = updates.makeAsyncIterator()
    _ = try await iterator.next()
    let stored = try #require(try await likes())
    #expect(stored.count == 1 && stored.source == .cache(age: .zero))
    let page = try await ada.stored(SocialRPC.getPostLikes, GetPostLikesRequest(postId: post, limit: 50))
    #expect(page?.value.userIds == [bob.id] && page?.value.totalCount == 1)
  }

  @Test func newFollowersComeFirst() async throws {
    for name in ["eve", "fay"] {
      let user = try world.newUser(name)
      _ = try world.mock.call(
        GraphRPC.createFollow, .init(followerId: user.id, followeeId: ada.user.id), token: user.token)
    }
    let before = try await ada.graph.getFollowers(userId: ada.user.id).userIds
    world.advance(seconds: 12)
    try await ada.received([
      event("follow.created") {
        $0.subjectId = ada.user.id; $0.counts = ["follower_count": 3]
      }
    ])
    let stored = try await ada.stored(GraphRPC.getFollowers, GetFollowersRequest(userId: ada.user.id, limit: 20))
    #expect(stored?.value.userIds == [bob.id] + before && stored?.value.totalCount == 3)
  }

  @Test func whatIsDeletedIsGone() async throws {
    _ = try await ada.content.getPost(postId: post)
    try await ada.received([event("post.deleted")])
    let stored = try await ada.stored(ContentRPC.checkPostExists, CheckPostExistsRequest(postId: post))
    #expect(stored?.value.exists == false)
  }

  /// A late event can be older than what was read: the gateway must be asked again.
  @Test func lateEventsOnlyTakeTheAge() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    try await ada.received([event("like.created", secondsAgo: 11) { $0.counts = ["like_count": 7] }])
    #expect(try await likes()?.source == .cache(age: nil))
    let read = try await ada.client.respond(
      SocialRPC.getLikeCount, GetLikeCountRequest(postId: post), options: CallOptions(cache: .cacheFirst()))
    #expect(read.value.count == 0 && read.source == .network)
  }

  /// The gateway dates events by its own clock.
  @Test(arguments: [-86_400, -60, 60, 86_400]) func theGatewaysClockDecidesWhatIsLate(secondsAhead: Int64) async throws
  {
    ada.transport.secondsAhead.withLock { $0 = Double(secondsAhead) }
    _ = try await ada.social.getLikeCount(postId: post)
    func like(_ count: Int64, secondsAgo: Int64) -> Event {
      event("like.created", secondsAgo: secondsAgo - secondsAhead) { event in
        event.id = "\(count)"
        event.counts = ["like_count": count]
      }
    }
    world.advance(seconds: 20)
    try await ada.received([like(1, secondsAgo: 9)])
    #expect(try await likes()?.count == 1)
    #expect(try await likes()?.source == .cache(age: .zero))
    try await ada.received([like(2, secondsAgo: 11)])
    #expect(try await likes()?.source == .cache(age: nil))
  }

  @Test func anEventThatComesAgainChangesNothing() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    let (first, second) = (
      event("like.created") { $0.counts = ["like_count": 1] }, event("like.deleted") { $0.counts = ["like_count": 0] }
    )
    try await ada.received([first, second])
    try await ada.received([first])
    #expect(try await likes()?.count == 0)
  }

  /// An answer that was requested before the event does not replace it.
  @Test func answersOnTheirWayAreOlder() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    let like = event("like.created") { $0.counts = ["like_count": 1] }
    let identity = try await ada.identity
    ada.transport.beforeEach { [store = ada.store, identity] _ in await store.received([like], for: identity) }
    _ = try await ada.client.respond(
      SocialRPC.getLikeCount, GetLikeCountRequest(postId: post), options: CallOptions(cache: .networkOnly))
    #expect(try await likes()?.count == 1)
  }

  /// Whatever a gateway says about things that were never read, or are none, stores nothing and stops nothing.
  @Test func otherEventsStoreNothing() async throws {
    let types = [
      "follow.created", "like.deleted", "bookmark.created", "share.created", "comment.created", "comment.updated",
      "post.created", "post.updated", "profile.updated", "something.created", "something.meaning", "upload.completed",
      "",
      "unheard.of",
    ]
    let counts = ["follower_count", "following_count", "like_count", "comment_count", "share_count", "post_count"]
    for time in [Int64.min, 0, Int64(world.clock.unixTime), .max] {
      let events = types.map { type in
        event(type) { event in
          event.id = ""
          event.createdAt = time
          event.counts = Dictionary(uniqueKeysWithValues: counts.map { ($0, time) })
          event.somethingId = time
        }
      }
      try await ada.received(events)
      try await ada.received(types.map { Event(type: $0, createdAt: time) })
    }
    let info = try await ada.store.cacheInfo()
    #expect(info.records.isEmpty && info.lists == 0 && info.counts == 0 && info.responses == 0 && info.problem == nil)
  }
}
