import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite(.timeLimit(.minutes(2))) @MainActor struct ActionTests {
  /// Somebody whom user-1 does not follow.
  private func stranger(_ stage: Stage) async throws -> String {
    let following = try await stage.graph.getFollowing(userId: "user-1", limit: 100).userIds
    return try #require((2...12).map { "user-\($0)" }.first { !following.contains($0) })
  }

  @Test func followingShowsAtOnce() async throws {
    let stage = try Stage()
    let id = try await stranger(stage)
    await stage.load(id)
    let count = try #require(stage.model.userProfile?.followerCount)
    #expect(!stage.model.isFollowing)
    stage.gateway.shut()
    let follow = Task { await stage.model.followUser(userId: id) }
    await stage.gateway.waitForCalls(1)
    #expect(stage.model.isFollowing)
    #expect(stage.model.userProfile?.followerCount == count + 1)
    #expect(stage.model.followerIds.first == "user-1")
    stage.gateway.open()
    await follow.value
    #expect(stage.model.isFollowing)
    #expect(stage.model.userProfile?.followerCount == count + 1)
    #expect(try await stage.graph.isFollowing(followerId: "user-1", followeeId: id))
    await stage.model.unfollowUser(userId: id)
    #expect(stage.model.userProfile?.followerCount == count)
    #expect(!stage.model.followerIds.contains("user-1"))
  }

  @Test func refusalsAreTakenBackWithAMessage() async throws {
    let stage = try Stage()
    let id = try await stranger(stage)
    await stage.load(id)
    let (profile, followers) = (stage.model.userProfile, stage.model.followerIds)
    stage.gateway.open { _ in .refused }
    await stage.model.followUser(userId: id)
    #expect(!stage.model.isFollowing)
    #expect(stage.model.userProfile == profile)
    #expect(stage.model.followerIds == followers)
    #expect(stage.model.errorMessage == "Following did not work. You are not allowed to do this.")
    stage.model.errorMessage = nil
    stage.gateway.open()
    await stage.model.followUser(userId: id)
    #expect(stage.model.isFollowing)
    #expect(stage.model.errorMessage == nil)
  }

  @Test func likesAndTheirCountsFollow() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    let count = try #require(stage.model.likeCount(post))
    stage.gateway.shut()
    let like = Task { await stage.model.likePost(postId: post) }
    await stage.gateway.waitForCalls(1)
    #expect(stage.model.isLiked(post))
    #expect(stage.model.likeCount(post) == count + 1)
    stage.gateway.release(.refused)
    await like.value
    #expect(!stage.model.isLiked(post))
    #expect(stage.model.likeCount(post) == count)
    #expect(stage.model.errorMessage == "The like was not saved. You are not allowed to do this.")
    stage.gateway.open()
    // Somebody else was faster.
    try await stage.social.createLike(postId: post, userId: "user-99")
    await stage.model.likePost(postId: post)
    #expect(stage.model.likeCount(post) == count + 2, "the server counted")
  }

  @Test func ownListsFollowBookmarksAndLikes() async throws {
    let stage = try Stage()
    await stage.load("user-1")
    await stage.model.loadContent(for: .liked)
    await stage.model.waitForLikes()
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    stage.gateway.shut()
    let both = Task {
      async let bookmark: Void = stage.model.bookmarkPost(postId: post)
      async let like: Void = stage.model.likePost(postId: post)
      _ = await (bookmark, like)
    }
    await stage.gateway.waitForCalls(2)
    #expect(stage.model.savedPosts.first?.id == post)
    #expect(stage.model.likedPosts.first?.id == post)
    #expect(stage.model.isBookmarked(post))
    stage.gateway.open()
    await both.value
    #expect(stage.model.savedPosts == (try await stage.content.getUserBookmarks(userId: "user-1").posts))
    #expect(
      stage.model.likedPosts.map(\.id) == (try await stage.social.getUserLikedPosts(userId: "user-1").postIds))
    await stage.model.unbookmarkPost(postId: post)
    await stage.model.unlikePost(postId: post)
    #expect(!stage.model.savedPosts.contains { $0.id == post })
    #expect(!stage.model.likedPosts.contains { $0.id == post })
  }

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

  @Test func aBookmarkTakenBackComesBack() async throws {
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

  @Test func cancelledTapsGoOn() async throws {
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
    let id = try await stranger(stage)
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
      let id = try await stranger(stage)
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

  @Test func followsShowOnTheOwnProfile() async throws {
    let stage = try Stage()
    let id = try await stranger(stage)
    await stage.load("user-1")
    await stage.model.followUser(userId: id)
    #expect(stage.model.followingIds.first == id)
    #expect(stage.model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
    await stage.model.unfollowUser(userId: id)
    #expect(stage.model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
    #expect(stage.model.followingIds == (try await stage.graph.getFollowing(userId: "user-1").userIds))
  }

  @Test func whatWasDoneHereIsRemembered() async throws {
    let stage = try Stage()
    let id = try await stranger(stage)
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

  @Test func nobodyIsAskedToLogIn() async throws {
    let stage = try Stage(viewer: nil)
    await stage.load("user-2")
    await stage.model.followUser(userId: "user-2")
    #expect(stage.model.errorMessage == "Please log in first.")
    #expect(stage.gateway.count("follow") == 0)
    #expect(stage.gateway.count("is-following") == 0)
    let own = try Stage()
    await own.model.followUser(userId: "user-1")
    #expect(own.model.errorMessage == "You cannot follow yourself.")
  }

  @Test func aPictureIsUploadedOnce() async throws {
    let stage = try Stage()
    await stage.load("user-1")
    stage.gateway.shut()
    let first = Task { await stage.model.uploadAvatar(image: [1, 2, 3], contentType: "image/png") }
    await stage.gateway.waitForCalls(1)
    #expect(stage.model.isUploadingAvatar)
    await stage.model.uploadAvatar(image: [4])
    #expect(stage.gateway.waiting.count == 1)
    stage.gateway.open()
    await first.value
    let url = try #require(stage.model.userProfile?.avatarUrl)
    #expect(try await stage.users.getUserProfile(userId: "user-1").avatarUrl == url)
    #expect(!stage.model.isUploadingAvatar)
    await stage.model.uploadAvatar(image: [])
    #expect(stage.model.errorMessage?.hasPrefix("The picture was not changed.") == true)
    #expect(stage.model.userProfile?.avatarUrl == url)
  }
}
