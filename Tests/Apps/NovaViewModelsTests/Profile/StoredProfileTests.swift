import NovaContent
import NovaCore
import NovaGraph
import NovaOffline
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Profiles that were loaded earlier, and are shown from the store.
@Suite(.hangLimit) @MainActor struct StoredProfileTests {
  @Test func aStoredProfileShowsAtOnceWithItsAge() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    #expect(!stage.model.showsStoredContent && stage.model.contentAge == nil)
    #expect(stage.gateway.calls.count == 8, "nothing is asked twice")
    try await stage.restart()
    stage.advance(seconds: 600)
    try stage.newPostOfBob("news")
    stage.gateway.shut()
    let model = stage.model
    let load = Task { await stage.load(stage.bob) }
    await stage.wait { model.userProfile != nil }
    #expect(model.userProfile?.username == "bob")
    #expect(model.posts.map(\.id) == stage.posts)
    #expect(model.likeCount(stage.posts[0]) == 0)
    #expect(!model.isFollowing)
    #expect(model.isLoading && model.showsStoredContent && model.contentAge == .seconds(600))
    #expect(model.outdatedMessage == nil && model.errorMessage == nil)
    stage.gateway.open()
    await load.value
    #expect(model.posts.map(\.content).first == "news")
    #expect(!model.showsStoredContent && model.contentAge == nil && !model.isLoading)
  }

  @Test func withoutAConnectionTheStoredProfileStays() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart()
    stage.advance(seconds: 60)
    stage.goOffline()
    await stage.load(stage.bob)
    let model = stage.model
    #expect(model.userProfile?.username == "bob" && model.posts.count == 3)
    #expect(model.contentAge == .seconds(60) && model.showsStoredContent)
    #expect(model.outdatedMessage == "This was saved earlier and may be out of date.")
    #expect(model.errorMessage == nil && !model.isLoading)
    try await stage.goOnline()
    await stage.load(stage.bob)
    #expect(model.contentAge == nil && model.outdatedMessage == nil && !model.showsStoredContent)
  }

  @Test func withoutAnythingStoredThereIsAnError() async throws {
    let stage = try await OfflineStage()
    stage.goOffline()
    await stage.load(stage.bob)
    #expect(stage.model.userProfile == nil && stage.model.posts.isEmpty)
    #expect(stage.model.errorMessage?.hasPrefix("Could not load the profile") == true)
    #expect(!stage.model.showsStoredContent && stage.model.outdatedMessage == nil)
  }

  @Test func aTabThatIsNotStoredIsAnErrorOfItsOwn() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    stage.goOffline()
    await stage.model.loadContent(for: .liked)
    #expect(stage.model.errorMessage?.hasPrefix("Could not load the liked posts.") == true)
    await stage.load(stage.bob)
    #expect(stage.model.errorMessage == nil)
    #expect(stage.model.outdatedMessage != nil)
  }

  @Test func aReloadWithoutAConnectionShowsWhatIsStoredWithItsAge() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    stage.advance(seconds: 30)
    stage.gateway.shut()
    let load = Task { await stage.load(stage.bob) }
    await stage.gateway.waitForCalls(1)
    await stage.wait { stage.gateway.waiting.count >= 6 }
    #expect(!stage.model.showsStoredContent, "what the gateway sent stays until there is something newer")
    stage.goOffline()
    await load.value
    #expect(stage.model.contentAge == .seconds(30) && stage.model.outdatedMessage != nil)
    #expect(stage.model.posts.map(\.id) == stage.posts)
    #expect(stage.model.errorMessage == nil)
  }

  @Test func aSlowGatewayIsNoError() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart()
    stage.gateway.open { $0.name == "author" ? .lostAfterwards : .answered }
    await stage.load(stage.bob)
    #expect(stage.model.posts.map(\.id) == stage.posts)
    #expect(stage.model.errorMessage == nil)
    #expect(stage.model.showsStoredContent && stage.model.outdatedMessage != nil, "the posts are the stored ones")
  }

  @Test func aRefusalCountsMoreThanWhatIsStored() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart()
    stage.gateway.open { $0.name == "profile" ? .refused : .answered }
    await stage.load(stage.bob)
    #expect(stage.model.userProfile == nil)
    #expect(stage.model.errorMessage == "Could not load the profile. You are not allowed to do this.")
    #expect(stage.model.posts.count == 3, "the other parts are there")
  }

  @Test func withoutALoginNothingStoredStays() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart()
    stage.gateway.open { _ in .unauthorized }
    await stage.load(stage.bob)
    #expect(stage.model.userProfile == nil && stage.model.posts.isEmpty && stage.model.needsReauthentication)
    #expect(!stage.model.showsStoredContent && stage.model.contentAge == nil)
  }

  @Test func aCancelledLoadKeepsWhatItHasShown() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart()
    stage.gateway.shut()
    let load = Task { await stage.load(stage.bob) }
    await stage.wait { stage.model.userProfile != nil }
    load.cancel()
    await load.value
    #expect(stage.model.userProfile?.username == "bob" && stage.model.showsStoredContent)
    #expect(stage.model.errorMessage == nil && stage.model.outdatedMessage == nil && !stage.model.isLoading)
  }

  @Test func aLaterLoadOfAnotherUserWins() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    await stage.load(stage.ada)
    try await stage.restart()
    for isOnline in [false, true] {
      if isOnline { try await stage.goOnline() } else { stage.goOffline() }
      let first = Task { await stage.load(stage.bob) }
      await stage.wait { stage.model.isLoading }
      await stage.load(stage.ada)
      await first.value
      #expect(stage.model.userProfile?.username == "ada")
      #expect(stage.model.posts.isEmpty && stage.model.errorMessage == nil)
    }
  }

  @Test func storedPagesCanBeReadOn() async throws {
    let stage = try await OfflineStage(pageSize: 2)
    await stage.load(stage.bob)
    await stage.model.loadMore()
    try await stage.restart()
    stage.goOffline()
    await stage.load(stage.bob)
    #expect(stage.model.posts.count == 2 && stage.model.hasMore)
    await stage.model.loadMore()
    #expect(stage.model.posts.map(\.id) == stage.posts)
    #expect(stage.model.errorMessage == nil)
  }

  @Test func aYoungStoredPageIsNotOutdated() async throws {
    let stage = try await OfflineStage(pageSize: 2, options: OfflineOptions(policy: .cacheFirst()))
    let models = [stage.model, stage.model(.cacheFirst())]
    for model in models {
      await model.loadUserProfile(userId: stage.bob.id)
      await model.loadMore()
      await model.loadUserProfile(userId: stage.bob.id)
      await model.loadMore()
      #expect(model.posts.map(\.id) == stage.posts)
      #expect(model.outdatedMessage == nil && model.errorMessage == nil)
    }
    await stage.load(stage.bob)
    stage.goOffline()
    await stage.model.loadMore()
    #expect(stage.model.posts.map(\.id) == stage.posts)
    #expect(stage.model.outdatedMessage != nil, "the gateway was asked in vain")
  }

  @Test func servicesWithAPolicyKeepIt() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    let count = stage.gateway.calls.count
    let loader = ProfileLoader(
      users: stage.users, graph: stage.graph.with { $0.cache = .cacheOnly }, content: stage.content,
      social: stage.social)
    #expect(!loader.readsStores)
    _ = try await loader.fromGateway.followers(of: stage.bob.id)
    #expect(stage.gateway.calls.count == count)
  }
}
