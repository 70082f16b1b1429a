import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Loads that overlap with changes, so that their responses are older or newer than the change.
@Suite(.hangLimit) @MainActor struct CrossingTests {
  /// Loads a user again. Answers all calls except for the one with this name, runs `body`, and then answers the rest.
  private func load(_ userId: String, on stage: Stage, holding held: String, _ body: () async throws -> Void)
    async throws
  {
    stage.gateway.shut()
    let load = Task { await stage.model.loadUserProfile(userId: userId) }
    let calls = userId == "user-1" ? 5 : 6
    await stage.gateway.waitForCalls(calls)
    #expect(stage.gateway.release { $0.name != held } == calls - 1)
    await stage.gateway.waitForAnswers()
    try await body()
    stage.gateway.open()
    await load.value
    await stage.model.waitForLikes()
  }

  /// Runs an action while calls are held back, and answers its own call.
  private func finish(_ name: String, on stage: Stage, _ action: @escaping @MainActor () async -> Void) async {
    let count = stage.gateway.waiting.count
    let task = Task { await action() }
    await stage.gateway.waitForCalls(count + 1)
    stage.gateway.release { $0.name == name }
    await task.value
  }

  @Test(arguments: [true, false]) func anOldResponseDoesNotUndoAFollow(_ isFollow: Bool) async throws {
    let stage = try Stage()
    let model = stage.model
    if !isFollow { try await stage.graph.followUser(followerId: "user-1", followeeId: "user-2") }
    if isFollow { try await stage.graph.unfollowUser(followerId: "user-1", followeeId: "user-2") }
    await stage.load("user-2")
    try await load("user-2", on: stage, holding: "bookmarks") {
      await finish(isFollow ? "follow" : "unfollow", on: stage) {
        isFollow ? await model.followUser(userId: "user-2") : await model.unfollowUser(userId: "user-2")
      }
      #expect(model.isFollowing == isFollow)
    }
    #expect(model.isFollowing == isFollow)
    #expect(model.userProfile == (try await stage.users.getUserProfile(userId: "user-2")))
    #expect(model.followerIds == (try await stage.graph.getFollowers(userId: "user-2").userIds))
    #expect(model.state.confirmedDuringLoads.isEmpty)
  }

  @Test func anOldResponseDoesNotUndoChangesOfTheOwnProfile() async throws {
    let stage = try Stage()
    let model = stage.model
    let other = "user-12"
    try await stage.graph.unfollowUser(followerId: "user-1", followeeId: other)
    await stage.load("user-1")
    let post = try #require(model.posts.first).id
    try await load("user-1", on: stage, holding: "followers") {
      await finish("follow", on: stage) { await model.followUser(userId: other) }
      await finish("bookmark", on: stage) { await model.bookmarkPost(postId: post) }
    }
    #expect(model.followingIds == (try await stage.graph.getFollowing(userId: "user-1").userIds))
    #expect(model.userProfile == (try await stage.users.getUserProfile(userId: "user-1")))
    #expect(model.savedPosts.map(\.id) == [post])
  }

  @Test func aNewerResponseIsNotCountedTwice() async throws {
    let stage = try Stage()
    let model = stage.model
    try await stage.graph.unfollowUser(followerId: "user-1", followeeId: "user-2")
    await stage.load("user-2")
    stage.gateway.shut()
    let follow = Task { await model.followUser(userId: "user-2") }
    await stage.gateway.waitForCalls(1)
    // The server has made the change, but its response takes long.
    try await stage.graph.followUser(followerId: "user-1", followeeId: "user-2")
    let truth = try await stage.users.getUserProfile(userId: "user-2")
    let load = Task { await model.loadUserProfile(userId: "user-2") }
    await stage.gateway.waitForCalls(7)
    stage.gateway.release { $0.name != "follow" }
    await load.value
    #expect(model.userProfile == truth)
    stage.gateway.open()
    await follow.value
    #expect(model.userProfile == truth)
    #expect(model.isFollowing)
  }

  @Test(arguments: ["batch", "check"]) func oldLikesDoNotUndoALike(_ first: String) async throws {
    let stage = try Stage()
    let model = stage.model
    await stage.load("user-2")
    let post = try #require(model.posts.first { !model.isLiked($0.id) }).id
    stage.gateway.shut()
    let load = Task { await model.loadContent(for: .posts) }
    await stage.gateway.waitForCalls(1)
    stage.gateway.release()
    await load.value
    await stage.gateway.waitForCalls(2)
    // One of the two responses is from before the like, and the other one is from after it.
    stage.gateway.release { $0.body.contains("user_id") == (first == "check") }
    await stage.gateway.waitForAnswers()
    let like = Task { await model.likePost(postId: post) }
    await stage.gateway.waitForCalls(2)
    stage.gateway.release { $0.name == "like" }
    await like.value
    stage.gateway.open()
    await model.waitForLikes()
    #expect(model.isLiked(post))
    #expect(model.likeCount(post) == (try await stage.social.getLikeCount(postId: post)))
  }
}
