import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite(.hangLimit) @MainActor struct ActionTests {
  @Test func followingShowsAtOnce() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
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

  @Test func refusedChangesAreRolledBackWithAMessage() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
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
    // Another user was faster.
    try await stage.social.createLike(postId: post, userId: "user-99")
    await stage.model.likePost(postId: post)
    #expect(stage.model.likeCount(post) == count + 2, "the server counted")
  }

  /// A wrong count does not become negative.
  @Test func aLikeCountIsNeverBelowZero() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    for like in try await stage.social.getPostLikes(postId: post, limit: 100).userIds {
      try await stage.social.deleteLike(postId: post, userId: like)
    }
    await stage.model.likePost(postId: post)
    stage.model.state.apply([ExactText(post): PostMark(isLiked: true, likeCount: 0)])
    await stage.model.unlikePost(postId: post)
    #expect(stage.model.likeCount(post) == 0)
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

  @Test func followsShowOnTheOwnProfile() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
    await stage.load("user-1")
    await stage.model.followUser(userId: id)
    #expect(stage.model.followingIds.first == id)
    #expect(stage.model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
    await stage.model.unfollowUser(userId: id)
    #expect(stage.model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
    #expect(stage.model.followingIds == (try await stage.graph.getFollowing(userId: "user-1").userIds))
  }

  @Test func withoutAViewerChangesRequireALogin() async throws {
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
    let first = Task { await stage.model.uploadAvatar(image: SampleMedia.png(), contentType: "image/png") }
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
