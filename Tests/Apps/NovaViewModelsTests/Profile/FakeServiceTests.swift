import NovaContent
import NovaCore
import NovaFixtures
import NovaGraph
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaViewModels

/// The view model with fake services, as in the tests of an app.
@Suite(.hangLimit) @MainActor struct FakeServiceTests {
  private let graph = FakeGraphService()
  private let content = FakeContentService()
  private let users = FakeUserService()
  private let social = FakeSocialService()
  private let media = FakeMediaService()

  private nonisolated func user(_ id: String, followers: Int = 0) -> UserProfile {
    var user = Fixture.user()
    user.id = id
    user.followerCount = followers
    return user
  }

  private func model() -> UserProfileViewModel {
    users.getUserProfile.runs { .init(profile: user($0.userId, followers: 7)) }
    graph.getFollowers.returns(GetFollowersResponse(userIds: ["bob"], totalCount: 1))
    graph.getFollowing.returns(GetFollowingResponse())
    graph.isFollowing.returns(IsFollowingResponse())
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse())
    content.getUserBookmarks.returns(GetUserBookmarksResponse())
    return UserProfileViewModel(
      currentUserId: "me", graph: graph, social: social, content: content, media: media, users: users)
  }

  @Test func aRefusedFollowIsRolledBack() async throws {
    let model = model()
    await model.loadUserProfile(userId: "ada")
    graph.createFollow.fails(APIError(.permissionDenied, "blocked"))
    await model.followUser(userId: "ada")
    #expect(!model.isFollowing)
    #expect(model.userProfile?.followerCount == 7)
    #expect(model.errorMessage == "Following did not work. You are not allowed to do this.")
    #expect(graph.createFollow.requests == [CreateFollowRequest(followerId: "me", followeeId: "ada")])
  }

  @Test func responsesMayComeInAnyOrder() async throws {
    let model = model()
    let gate = FakeGate()
    users.getUserProfile.plays([
      .returns(GetUserProfileResponse(profile: user("slow"))).after(gate),
      .returns(GetUserProfileResponse(profile: user("fast"))),
    ])
    let slow = Task { await model.loadUserProfile(userId: "slow") }
    try await users.getUserProfile.waitForCalls(1)
    await model.loadUserProfile(userId: "fast")
    gate.open()
    await slow.value
    #expect(model.userProfile?.id == "fast")
    #expect(model.errorMessage == nil)
  }

  @Test func aPictureIsOneCall() async throws {
    let model = model()
    await model.loadUserProfile(userId: "me")
    media.uploadImage.returns("https://cdn.example/me.png")
    var changed = user("me")
    changed.avatarUrl = "https://cdn.example/me.png"
    users.updateUserProfile.returns(UpdateUserProfileResponse(profile: changed))
    await model.uploadAvatar(image: [1, 2], contentType: "image/png")
    #expect(model.userProfile?.avatarUrl == "https://cdn.example/me.png")
    #expect(users.updateUserProfile.requests.map(\.avatarUrl) == ["https://cdn.example/me.png"])
  }

  @Test func aServerThatNamesNoCountChangesItByOne() async throws {
    let model = model()
    let post = Fixture.post(by: user("ada"))
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse(posts: [post], totalCount: 1))
    social.batchGetPostStats.returns(.init(stats: [post.id: .init(likeCount: 4)]))
    social.batchCheckUserLiked.returns(.init(results: [post.id: false]))
    await model.loadUserProfile(userId: "ada")
    await model.waitForLikes()
    social.createLike.returns(.init(success: true))
    await model.likePost(postId: post.id)
    #expect(model.likeCount(post.id) == 5)
  }

  /// The server's counts are older than its lists, and do not include the item that the viewer removes.
  @Test func noCountIsShownBelowZero() async throws {
    let model = model()
    let post = Fixture.post(by: user("ada"))
    users.getUserProfile.returns(GetUserProfileResponse(profile: user("ada", followers: 0)))
    graph.isFollowing.returns(IsFollowingResponse(isFollowing: true))
    content.getPostsByAuthor.returns(GetPostsByAuthorResponse(posts: [post], totalCount: 1))
    social.batchGetPostStats.returns(.init(stats: [post.id: .init(likeCount: 0)]))
    social.batchCheckUserLiked.returns(.init(results: [post.id: true]))
    await model.loadUserProfile(userId: "ada")
    await model.waitForLikes()
    let gate = FakeGate()
    social.deleteLike.plays([.returns(.init(success: true)).after(gate)])
    graph.deleteFollow.plays([.returns(.init(success: true)).after(gate)])
    let unlike = Task { await model.unlikePost(postId: post.id) }
    let unfollow = Task { await model.unfollowUser(userId: "ada") }
    try await social.deleteLike.waitForCalls(1)
    try await graph.deleteFollow.waitForCalls(1)
    #expect(model.likeCount(post.id) == 0)
    #expect(model.userProfile?.followerCount == 0)
    gate.open()
    await unlike.value
    await unfollow.value
    #expect(model.likeCount(post.id) == 0, "nor after the answer, which names no count")
    #expect(model.userProfile?.followerCount == 0)
    social.createLike.returns(.init(success: true))
    graph.createFollow.returns(.init(success: true))
    await model.likePost(postId: post.id)
    await model.followUser(userId: "ada")
    #expect(model.likeCount(post.id) == 1, "and the next one counts")
    #expect(model.userProfile?.followerCount == 1)
  }
}
