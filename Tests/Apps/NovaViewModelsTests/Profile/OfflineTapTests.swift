import NovaContent
import NovaCore
import NovaGraph
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Changes that wait in the store's outbox.
@Suite(.hangLimit) @MainActor struct OfflineTapTests {
  @Test func tapsWithoutAConnectionShowAndAreSentOnce() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.ada)
    await stage.load(stage.bob)
    stage.goOffline()
    let post = stage.posts[0]
    await stage.model.followUser(userId: stage.bob.id)
    await stage.model.likePost(postId: post)
    await stage.model.bookmarkPost(postId: post)
    func expectDone(_ comment: Testing.Comment) {
      let model = stage.model
      #expect(model.isFollowing && model.isLiked(post), comment)
      #expect(model.userProfile?.followerCount == 1 && model.likeCount(post) == 1, comment)
      #expect(model.followerIds == [stage.ada.id], comment)
      #expect(model.errorMessage == nil, comment)
    }
    expectDone("at once")
    #expect(stage.model.isBookmarked(post) && stage.model.hasUnsentChanges)
    await stage.load(stage.bob)
    expectDone("from the store")
    #expect(stage.model.hasUnsentChanges)
    try await stage.restart()
    await stage.load(stage.bob)
    expectDone("after a restart")
    await stage.load(stage.ada)
    #expect(stage.model.savedPosts.map(\.id) == [post])
    #expect(stage.model.userProfile?.followingCount == 1 && stage.model.followingIds == [stage.bob.id])
    #expect(try await stage.goOnline().waiting == 0)
    #expect(try stage.followersOfBob() == [stage.ada.id])
    #expect(try stage.likeCount(post) == 1)
    #expect(try stage.bookmarksOfAda() == [post])
    await stage.load(stage.bob)
    expectDone("from the gateway")
    #expect(!stage.model.hasUnsentChanges && !stage.model.showsStoredContent)
  }

  @Test func whatIsSentIsNoLongerUnsent() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    stage.goOffline()
    await stage.model.followUser(userId: stage.bob.id)
    #expect(stage.model.hasUnsentChanges)
    try await stage.goOnline()
    await stage.load(stage.bob)
    #expect(!stage.model.hasUnsentChanges && stage.model.isFollowing)
    await stage.model.unfollowUser(userId: stage.bob.id)
    #expect(!stage.model.hasUnsentChanges && !stage.model.isFollowing)
    #expect(try stage.followersOfBob() == [])
    #expect(stage.model.userProfile?.followerCount == 0)
  }

  @Test func removalsWaitAsWell() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[1]
    await stage.load(stage.bob)
    await stage.model.followUser(userId: stage.bob.id)
    await stage.model.likePost(postId: post)
    await stage.model.bookmarkPost(postId: post)
    await stage.load(stage.ada)
    await stage.model.loadContent(for: .liked)
    stage.goOffline()
    await stage.model.unbookmarkPost(postId: post)
    await stage.model.unlikePost(postId: post)
    await stage.model.unfollowUser(userId: stage.bob.id)
    func expectDone(_ comment: Testing.Comment) {
      #expect(stage.model.savedPosts.isEmpty && stage.model.likedPosts.isEmpty, comment)
      #expect(stage.model.followingIds.isEmpty && stage.model.userProfile?.followingCount == 0, comment)
    }
    expectDone("at once")
    try await stage.restart()
    stage.model.selectedTab = .liked
    await stage.load(stage.ada)
    expectDone("from the store")
    #expect(try stage.likeCount(post) == 1)
    #expect(try await stage.goOnline().waiting == 0)
    #expect(try stage.likeCount(post) == 0)
    #expect(try stage.bookmarksOfAda() == [] && stage.followersOfBob() == [])
    await stage.load(stage.ada)
    expectDone("from the gateway")
  }

  @Test func oppositeTapsCancelOut() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    await stage.load(stage.bob)
    stage.goOffline()
    for _ in 0..<2 {
      await stage.model.likePost(postId: post)
      #expect(stage.model.likeCount(post) == 1)
      await stage.model.unlikePost(postId: post)
      #expect(stage.model.likeCount(post) == 0)
      await stage.model.followUser(userId: stage.bob.id)
      await stage.model.unfollowUser(userId: stage.bob.id)
    }
    #expect(stage.model.userProfile?.followerCount == 0)
    await stage.load(stage.bob)
    #expect(stage.model.likeCount(post) == 0 && !stage.model.isLiked(post) && !stage.model.isFollowing)
    #expect(try await stage.offline.outbox.entries.isEmpty)
    #expect(try await stage.goOnline().waiting == 0)
    await stage.load(stage.bob)
    #expect(!stage.model.hasUnsentChanges)
  }

  @Test func anOppositeThatWaitsIsUnsent() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    stage.goOffline()
    await stage.model.likePost(postId: post)
    await stage.model.unlikePost(postId: post)
    #expect(try await stage.offline.outbox.entries.count == 1, "whether ada likes it is not known")
    #expect(stage.model.hasUnsentChanges)
    try await stage.goOnline()
    await stage.load(stage.bob)
    #expect(!stage.model.hasUnsentChanges)
  }

  @Test func anOppositeAfterALostAnswerIsUnsent() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    stage.gateway.open { $0.name == "follow" ? .lostAfterwards : .lost }
    await stage.model.followUser(userId: stage.bob.id)
    await stage.model.unfollowUser(userId: stage.bob.id)
    #expect(try await !stage.offline.outbox.entries.isEmpty)
    #expect(stage.model.hasUnsentChanges)
    try await stage.goOnline()
    #expect(try stage.followersOfBob() == [])
  }

  @Test func aLikeThatWaitsCountsOnTopOfWhatIsShown() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    try stage.like(post, by: stage.bob)
    await stage.load(stage.bob)
    #expect(stage.model.likeCount(post) == 1)
    try await stage.store.clearCache()
    stage.goOffline()
    await stage.model.likePost(postId: post)
    #expect(stage.model.likeCount(post) == 2)
    await stage.model.unlikePost(postId: post)
    #expect(stage.model.likeCount(post) == 1)
  }

  @Test func aTapWhoseAnswerIsLostCountsOnce() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    await stage.load(stage.bob)
    stage.gateway.open { ["like", "follow"].contains($0.name) ? .lostAfterwards : .answered }
    await stage.model.likePost(postId: post)
    await stage.model.followUser(userId: stage.bob.id)
    #expect(stage.model.errorMessage == nil && stage.model.likeCount(post) == 1)
    await stage.load(stage.bob)
    #expect(stage.model.userProfile?.followerCount == 1 && stage.model.isFollowing)
    #expect(stage.model.followerIds == [stage.ada.id] && stage.model.isLiked(post))
    #expect(stage.model.likeCount(post) == 1)
    try await stage.goOnline()
    await stage.load(stage.bob)
    #expect(stage.model.userProfile?.followerCount == 1 && stage.model.likeCount(post) == 1)
    #expect(try stage.likeCount(post) == 1)
  }

  @Test func aLaterRefusalShowsWithTheNextLoad() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    await stage.load(stage.bob)
    stage.goOffline()
    await stage.model.likePost(postId: post)
    await stage.model.followUser(userId: stage.bob.id)
    _ = try stage.mock.call(
      ContentRPC.deletePost, DeletePostRequest(postId: post, deletedById: stage.bob.id), token: stage.bob.token)
    _ = try stage.mock.call(
      GraphRPC.createBlock, CreateBlockRequest(blockerId: stage.bob.id, blockedId: stage.ada.id),
      token: stage.bob.token)
    try await stage.goOnline()
    #expect(try await stage.offline.outbox.deadLetters.count == 2)
    await stage.load(stage.bob)
    #expect(!stage.model.isFollowing && !stage.model.hasUnsentChanges)
    #expect(stage.model.userProfile?.followerCount == 0 && stage.model.followerIds.isEmpty)
    #expect(!stage.model.posts.map(\.id).contains(post))
  }

  /// The load reads the store before the tap, and ends after the change is in the outbox.
  @Test func aTapDuringALoadCountsOnce() async throws {
    let stage = try await OfflineStage()
    let post = stage.posts[0]
    await stage.load(stage.bob)
    try await stage.restart()
    stage.gateway.shut()
    let load = Task { await stage.load(stage.bob) }
    await stage.wait { stage.model.userProfile != nil && stage.gateway.waiting.count == 6 }
    let follow = Task { await stage.model.followUser(userId: stage.bob.id) }
    let like = Task { await stage.model.likePost(postId: post) }
    await stage.gateway.waitForCalls(8)
    #expect(stage.model.userProfile?.followerCount == 1 && stage.model.likeCount(post) == 1)
    stage.gateway.release(.lost) { ["follow", "like"].contains($0.name) }
    await follow.value
    await like.value
    #expect(stage.model.userProfile?.followerCount == 1 && stage.model.likeCount(post) == 1)
    stage.goOffline()
    await load.value
    #expect(stage.model.isFollowing && stage.model.followerIds == [stage.ada.id])
    #expect(stage.model.userProfile?.followerCount == 1 && stage.model.likeCount(post) == 1)
    #expect(stage.model.isLiked(post) && stage.model.hasUnsentChanges)
  }

  @Test func aTapThatIsSentDuringALoadCountsOnce() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    stage.goOffline()
    await stage.model.followUser(userId: stage.bob.id)
    try await stage.restart()
    stage.gateway.shut()
    let load = Task { await stage.load(stage.bob) }
    await stage.wait { stage.gateway.waiting.contains { $0.name == "follow" } && stage.gateway.waiting.count == 7 }
    stage.gateway.release { $0.name == "follow" }
    await stage.gateway.waitForAnswers()
    stage.gateway.open()
    await load.value
    #expect(stage.model.isFollowing && stage.model.followerIds == [stage.ada.id])
    #expect(stage.model.userProfile?.followerCount == 1)
    #expect(!stage.model.showsStoredContent && stage.model.errorMessage == nil)
  }
}
