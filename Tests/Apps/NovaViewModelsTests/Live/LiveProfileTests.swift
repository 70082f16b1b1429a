import NovaCapture
import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaSDK
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Changes by others are shown without another load.
@Suite(.hangLimit) @MainActor struct LiveProfileTests {
  private let backend = MockBackend()
  private let nova: NovaClient
  private let model: UserProfileViewModel

  init() {
    nova = .mock(backend)
    model = UserProfileViewModel(
      currentUserId: "user-0001", graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
      users: nova.users, events: nova.events)
  }

  private func load() async throws {
    model.follow(live: true)
    await model.loadUserProfile(userId: "mock-user-id")
    await model.waitForLikes()
    #expect(model.errorMessage == nil)
    // The posts are also live.
    #expect(await becomes { nova.events.state == .live })
  }

  /// Whether a condition becomes true within ten seconds.
  private func becomes(_ isSo: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1000 {
      if try await isSo() { return true }
      try? await ContinuousClock().sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func followersAndTheirCountChange() async throws {
    try await load()
    let count = try #require(model.userProfile?.followerCount)
    var number = 900
    while try await nova.graph.isFollowing(followerId: "user-0\(number)", followeeId: "mock-user-id") { number += 1 }
    let stranger = "user-0\(number)"
    _ = try await nova.graph.createFollow(CreateFollowRequest(followerId: stranger, followeeId: "mock-user-id"))
    #expect(await becomes { model.userProfile?.followerCount == count + 1 })
    #expect(model.followerIds.first == stranger)
    _ = try await nova.graph.deleteFollow(DeleteFollowRequest(followerId: stranger, followeeId: "mock-user-id"))
    #expect(await becomes { model.userProfile?.followerCount == count })
    #expect(!model.followerIds.contains(stranger))
  }

  @Test func ownTapsCountOnce() async throws {
    try await load()
    let count = try #require(model.userProfile?.followerCount)
    let change = model.isFollowing ? -1 : 1
    if model.isFollowing {
      await model.unfollowUser(userId: "mock-user-id")
    } else {
      await model.followUser(userId: "mock-user-id")
    }
    #expect(await becomes { model.userProfile?.followerCount == count + change })
    // The event also arrives, before or after the response.
    for _ in 0..<20 { await Task.yield() }
    #expect(model.userProfile?.followerCount == count + change)
  }

  @Test func likesAndPostsChange() async throws {
    try await load()
    let post = try #require(model.posts.first)
    let liker = "user-0002"
    let isLiked = try await nova.social.checkUserLiked(postId: post.id, userId: liker)
    let count = try await nova.social.getLikeCount(postId: post.id)
    if isLiked {
      _ = try await nova.social.deleteLike(postId: post.id, userId: liker)
    } else {
      _ = try await nova.social.createLike(postId: post.id, userId: liker)
    }
    #expect(await becomes { model.likeCount(post.id) == Int(count) + (isLiked ? -1 : 1) })

    let created = try await nova.content.createPost(creatorId: "mock-user-id", content: "news")
    #expect(await becomes { model.posts.first?.id == created.id })
    _ = try await nova.content.deletePost(postId: created.id, deletedById: "mock-user-id")
    #expect(await becomes { !model.posts.contains { $0.id == created.id } })
  }

  @Test func everythingIsLoadedAgainWhenEventsAreMissing() async throws {
    try await load()
    let count = try #require(model.userProfile?.followerCount)
    backend.beginEventEpoch()
    _ = try await nova.graph.createFollow(CreateFollowRequest(followerId: "user-0999", followeeId: "mock-user-id"))
    #expect(await becomes { model.userProfile?.followerCount == count + 1 })
  }

  @Test func nothingIsFollowedAfterward() async throws {
    try await load()
    model.follow(live: false)
    #expect(await becomes { backend.eventSubscriberCount == 0 })
  }
}
