import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite(.hangLimit) @MainActor struct LoadingTests {
  @Test func everythingIsThere() async throws {
    let stage = try Stage(viewer: "user-0001", dataSet: .guide)
    await stage.load("mock-user-id")
    let model = stage.model
    #expect(model.userProfile?.username == "bruce_li")
    #expect(model.userProfile?.followerCount == 3021)
    #expect(model.followerIds.count == 50)
    #expect(model.followingIds.count == 50)
    #expect(model.posts.count == 50)
    #expect(model.savedPosts == (try await stage.content.getUserBookmarks(userId: "mock-user-id").posts))
    #expect(
      model.isFollowing == (try await stage.graph.isFollowing(followerId: "user-0001", followeeId: "mock-user-id")))
    let first = try #require(model.posts.first)
    #expect(model.likeCount(first.id) == (try await stage.social.getLikeCount(postId: first.id)))
    #expect(model.hasContent)
    #expect(model.currentTabPosts == model.posts)
    #expect(!model.isLoading)
    #expect(model.errorMessage == nil)
  }

  @Test func thePartsLoadAtTheSameTime() async throws {
    let clock = ManualClock()
    let backend = MockBackend(dataSet: .guide, faults: try Faults(["latency 50ms"]))
    let client = try APIClient.test(MockTransport(backend, clock: clock), token: nil)
    let model = UserProfileViewModel("user-0001", client)
    async let load: Void = model.loadUserProfile(userId: "mock-user-id")
    await clock.waitForSleepers(6)
    #expect(model.isLoading)
    clock.advance(by: .milliseconds(50))
    await load
    #expect(clock.elapsed == .milliseconds(50), "one round trip")
    #expect(model.userProfile?.username == "bruce_li")
    #expect(!model.followerIds.isEmpty && !model.followingIds.isEmpty && !model.posts.isEmpty)
    #expect(!model.isLoading)
    // The viewer's likes take another round trip, which the load does not wait for.
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(50))
    await model.waitForLikes()
    #expect(clock.elapsed == .milliseconds(100))
    #expect(model.likeCount(model.posts[0].id) != nil)
  }

  @Test func likedPostsComeWithTheirTab() async throws {
    let stage = try Stage()
    await stage.load("user-1")
    #expect(stage.model.likedPosts.isEmpty)
    await stage.model.loadContent(for: .liked)
    stage.model.selectedTab = .liked
    #expect(
      stage.model.currentTabPosts.map(\.id) == (try await stage.social.getUserLikedPosts(userId: "user-1").postIds))
    let count = stage.gateway.count("liked-posts")
    await stage.load("user-1")
    #expect(stage.gateway.count("liked-posts") == count + 1, "the tab in front is loaded with the rest")
  }

  /// The parts of a load that start late, after another part has failed, do not clear the error.
  @available(macOS 15, *)
  @Test(arguments: ContentTab.allCases) func noLateStartClearsAnError(_ tab: ContentTab) async throws {
    let stage = try Stage()
    stage.model.selectedTab = tab
    stage.gateway.open { $0.name == "followers" ? .lost : .answered }
    let executor = HeldExecutor()
    let load = Task(executorPreference: executor) { await stage.model.loadUserProfile(userId: "user-2") }
    await executor.release(count: 1)
    while stage.model.errorMessage == nil { await Task.yield() }
    await executor.release()
    await load.value
    #expect(stage.model.errorMessage?.hasPrefix("Could not load the followers.") == true)
  }

  @Test(arguments: [
    ("profile", "Could not load the profile."), ("followers", "Could not load the followers."),
    ("following", "Could not load the followed people."), ("author", "Could not load the posts."),
    ("bookmarks", "Could not load the saved posts."),
    ("is-following", "Could not load whether you follow this person."),
  ])
  func oneFailingPartHidesNoOther(_ failing: String, _ message: String) async throws {
    let stage = try Stage()
    try await stage.content.createBookmark(postId: "post-9", userId: "user-2")
    stage.gateway.open { $0.name == failing ? .lost : .answered }
    await stage.load("user-2")
    let model = stage.model
    #expect((model.userProfile == nil) == (failing == "profile"))
    #expect(model.followerIds.isEmpty == (failing == "followers"))
    #expect(model.followingIds.isEmpty == (failing == "following"))
    #expect(model.posts.isEmpty == (failing == "author"))
    #expect(model.savedPosts.isEmpty == (failing == "bookmarks"))
    #expect(
      model.errorMessage == "\(message) NovaSocial cannot be reached. Please check your connection and try again.")
    #expect(!model.isLoading)
  }

  @Test func failuresAreListedInOneSentence() async throws {
    let stage = try Stage()
    stage.gateway.open { ["followers", "following", "author"].contains($0.name) ? .lost : .answered }
    await stage.load("user-2")
    #expect(
      stage.model.errorMessage?.hasPrefix("Could not load the followers, the followed people and the posts.") == true)
  }

  @Test func a401AsksForANewLogin() async throws {
    let stage = try Stage()
    stage.gateway.open { $0.name == "followers" ? .unauthorized : .answered }
    await stage.load("user-2")
    #expect(stage.model.errorMessage == "Could not load the followers. Please log in again.")
    #expect(stage.model.needsReauthentication)
    stage.gateway.open { $0.name == "like" ? .unauthorized : .answered }
    await stage.load("user-2")
    #expect(!stage.model.needsReauthentication)
    let post = try #require(stage.model.posts.first { !stage.model.isLiked($0.id) }).id
    await stage.model.likePost(postId: post)
    #expect(stage.model.errorMessage == "The like was not saved. Please log in again.")
    #expect(stage.model.needsReauthentication)
  }

  @Test func anUnknownUserIsReported() async throws {
    let stage = try Stage()
    await stage.load("nobody")
    #expect(stage.model.errorMessage == "There is no such profile.")
    #expect(stage.model.userProfile == nil)
  }

  @Test func othersBookmarksMayBePrivate() async throws {
    let stage = try Stage()
    stage.gateway.open { $0.name == "bookmarks" ? .refused : .answered }
    await stage.load("user-2")
    #expect(stage.model.errorMessage == nil)
    await stage.load("user-1")
    #expect(stage.model.errorMessage == "Could not load the saved posts. You are not allowed to do this.")
  }

  @Test func aSecondLoadCancelsTheFirst() async throws {
    let stage = try Stage()
    stage.gateway.shut()
    let first = Task { await stage.model.loadUserProfile(userId: "user-2") }
    await stage.gateway.waitForCalls(6)
    let second = Task { await stage.model.loadUserProfile(userId: "user-3") }
    await first.value
    await stage.gateway.waitForCalls(6)
    #expect(stage.gateway.waiting.allSatisfy { $0.body.contains("user-3") })
    #expect(stage.model.isLoading)
    stage.gateway.open()
    await second.value
    #expect(stage.model.userProfile?.id == "user-3")
    #expect(stage.model.errorMessage == nil, "the cancelled load says nothing")
  }

  @Test(arguments: [HeldGateway.Outcome.answered, .lost])
  func aLateResponseForAnotherUserIsNotShown(_ late: HeldGateway.Outcome) async throws {
    let stage = try Stage()
    stage.gateway.shut(ignoringCancellation: true)
    let first = Task { await stage.model.loadUserProfile(userId: "user-2") }
    await stage.gateway.waitForCalls(6)
    let second = Task { await stage.model.loadUserProfile(userId: "user-3") }
    await stage.gateway.waitForCalls(12)
    stage.gateway.release { $0.body.contains("user-3") }
    await second.value
    stage.gateway.open { _ in late }
    await first.value
    #expect(stage.model.userProfile?.id == "user-3")
    #expect(stage.model.posts.allSatisfy { $0.creatorId == "user-3" })
    #expect(stage.model.errorMessage == nil)
    #expect(!stage.model.isLoading)
  }

  @Test func anotherUserStartsEmpty() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    stage.gateway.open { _ in .lost }
    await stage.load("user-3")
    let model = stage.model
    #expect(model.userProfile == nil)
    #expect(model.posts.isEmpty && model.savedPosts.isEmpty && model.followerIds.isEmpty && model.followingIds.isEmpty)
    #expect(model.errorMessage?.hasPrefix("Could not load the profile") == true)
  }

  @Test func theSameUserStaysWhileItIsLoadedAgain() async throws {
    let stage = try Stage()
    await stage.load("user-2")
    stage.gateway.open { _ in .lost }
    await stage.load("user-2")
    #expect(stage.model.userProfile?.id == "user-2")
    #expect(!stage.model.posts.isEmpty)
    #expect(stage.model.errorMessage != nil)
  }

  @Test func cancellingTheTaskEndsTheLoad() async throws {
    let stage = try Stage()
    stage.gateway.shut()
    let task = Task { await stage.model.loadUserProfile(userId: "user-2") }
    await stage.gateway.waitForCalls(6)
    task.cancel()
    await task.value
    #expect(!stage.model.isLoading)
    #expect(stage.model.errorMessage == nil)
    #expect(stage.gateway.waiting.isEmpty)
  }

  @Test func listsCanBeLoadedAlone() async throws {
    let stage = try Stage()
    await stage.model.loadFollowers()
    #expect(stage.gateway.calls.isEmpty, "nobody is shown")
    await stage.model.loadFollowers(userId: "user-2")
    await stage.model.loadFollowing()
    #expect(stage.model.followerIds == (try await stage.graph.getFollowers(userId: "user-2").userIds))
    #expect(stage.model.followingIds == (try await stage.graph.getFollowing(userId: "user-2").userIds))
    #expect(stage.gateway.calls.count == 2)
    #expect(stage.model.shareURL == "https://nova.social/user/user-2")
  }

  @Test(arguments: [
    ("mock-user-id", "mock-user-id"), ("a/b c?d#é", "a%2Fb%20c%3Fd%23%C3%A9"), ("散歩", "%E6%95%A3%E6%AD%A9"),
  ])
  func addressesCanBeShared(_ id: String, _ encoded: String) async throws {
    let stage = try Stage()
    #expect(stage.model.shareURL == nil)
    await stage.model.loadFollowers(userId: id)
    #expect(stage.model.shareURL == "https://nova.social/user/\(encoded)")
  }
}
