import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Taps that are quick, late, or overlap with something else.
@Suite(.hangLimit) @MainActor struct TapTests {
  @Test func aDoubleTapSendsOneRequest() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    let count = try #require(stage.model.likeCount(post))
    stage.gateway.shut()
    let taps = (0..<5).map { _ in Task { await stage.model.likePost(postId: post) } }
    await stage.gateway.waitForCalls(1)
    await stage.settle()
    #expect(stage.gateway.waiting.count == 1)
    #expect(stage.model.likeCount(post) == count + 1)
    stage.gateway.open()
    for tap in taps { await tap.value }
    await stage.model.likePost(postId: post)
    #expect(stage.gateway.count("like") == 1, "also not when it is so already")
    #expect(stage.model.likeCount(post) == count + 1)
  }

  @Test(arguments: HeldGateway.Outcome.allCases)
  func theOppositeWaitsItsTurn(_ outcome: HeldGateway.Outcome) async throws {
    let stage = try Stage()
    await stage.load("user-2")
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    let count = try #require(stage.model.likeCount(post))
    stage.gateway.shut()
    let like = Task { await stage.model.likePost(postId: post) }
    await stage.gateway.waitForCalls(1)
    let unlike = Task { await stage.model.unlikePost(postId: post) }
    await stage.settle()
    #expect(!stage.model.isLiked(post), "it shows at once")
    #expect(stage.model.likeCount(post) == count)
    #expect(stage.gateway.waiting.map(\.name) == ["like"], "and goes out after the first")
    stage.gateway.release(outcome)
    await stage.gateway.waitForCalls(1)
    #expect(stage.gateway.waiting.map(\.name) == ["unlike"])
    stage.gateway.open()
    await like.value
    await unlike.value
    #expect(!stage.model.isLiked(post))
    #expect(stage.model.likeCount(post) == count)
    #expect(stage.model.errorMessage == nil, "what is wanted is so")
    #expect(try await !stage.social.checkUserLiked(postId: post, userId: "user-1"))
  }

  @Test func aRemovedBookmarkCanReturn() async throws {
    let stage = try Stage()
    let post = try #require(try await stage.content.getPostsByAuthor(authorId: "user-2").posts.first).id
    try await stage.content.createBookmark(postId: post, userId: "user-1")
    await stage.load("user-1")
    stage.gateway.shut()
    let remove = Task { await stage.model.unbookmarkPost(postId: post) }
    await stage.gateway.waitForCalls(1)
    let keep = Task { await stage.model.bookmarkPost(postId: post) }
    await stage.settle()
    #expect(stage.model.savedPosts.map(\.id) == [post])
    stage.gateway.release()
    await stage.gateway.waitForCalls(1)
    #expect(stage.model.savedPosts.map(\.id) == [post], "also between the two requests")
    stage.gateway.open()
    await remove.value
    await keep.value
    #expect(stage.model.savedPosts.map(\.id) == [post])
  }

  @Test func cancelledTapsContinue() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    stage.gateway.shut()
    let like = Task { await stage.model.likePost(postId: post) }
    await stage.gateway.waitForCalls(1)
    like.cancel()
    stage.gateway.open()
    await like.value
    #expect(try await stage.social.checkUserLiked(postId: post, userId: "user-1"))
    #expect(stage.model.isLiked(post))
  }

  @Test func aMessageStaysWithItsUser() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
    await stage.load(id)
    stage.gateway.shut()
    let follow = Task { await stage.model.followUser(userId: id) }
    await stage.gateway.waitForCalls(1)
    let load = Task { await stage.model.loadUserProfile(userId: "user-1") }
    await stage.gateway.waitForCalls(2)
    stage.gateway.open { $0.name == "follow" ? .refused : .answered }
    await follow.value
    await load.value
    #expect(stage.model.errorMessage == nil)
    #expect(stage.model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
  }

  @Test func aLoadThatCrossesAFollowCountsOnce() async throws {
    for isFollowFirst in [true, false] {
      let stage = try Stage()
      let id = try await stage.stranger()
      await stage.load(id)
      let count = try #require(stage.model.userProfile?.followerCount)
      stage.gateway.shut()
      let follow = Task { await stage.model.followUser(userId: id) }
      await stage.gateway.waitForCalls(1)
      let load = Task { await stage.model.loadUserProfile(userId: id) }
      await stage.gateway.waitForCalls(7)
      stage.gateway.release { ($0.name == "follow") == isFollowFirst }
      if isFollowFirst { await follow.value } else { await load.value }
      #expect(stage.model.userProfile?.followerCount == count + 1)
      stage.gateway.open()
      await follow.value
      await load.value
      #expect(stage.model.isFollowing)
      #expect(stage.model.userProfile?.followerCount == count + 1, "the follow first: \(isFollowFirst)")
      #expect(stage.model.followerIds.filter { $0 == "user-1" }.count == 1)
    }
  }

  @Test func whatWasDoneHereIsRemembered() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
    await stage.load("user-2")
    #expect(!stage.model.isFollowing(id))
    await stage.model.followUser(userId: id)
    #expect(stage.model.isFollowing(id), "nothing on this profile tells")
    await stage.model.followUser(userId: id)
    #expect(stage.gateway.count("follow") == 1)
    let post = try #require(stage.model.posts.first).id
    await stage.model.bookmarkPost(postId: post)
    await stage.load("user-3")
    await stage.load("user-2")
    #expect(stage.model.isBookmarked(post))
    await stage.model.unbookmarkPost(postId: post)
    #expect(!stage.model.isBookmarked(post))
  }
}
