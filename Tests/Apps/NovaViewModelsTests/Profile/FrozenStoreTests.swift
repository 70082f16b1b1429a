import NovaContent
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaViewModels

/// If the store cannot be written, stored content does not replace newer content.
@Suite(.hangLimit) @MainActor struct FrozenStoreTests {
  private let stage: OfflineStage
  private let model: UserProfileViewModel
  private let store = FrozenStore()

  /// Stores Bob's profile. Then Bob writes a post and Ada likes one, but the store can no longer be written.
  init() async throws {
    stage = try await OfflineStage()
    model = try stage.model(storingIn: store)
    try stage.like(stage.posts[0], by: stage.bob)
    await load()
    await model.loadContent(for: .liked)
    store.freeze()
    try stage.newPostOfBob("news")
    try stage.like(stage.posts[0], by: stage.ada)
    await load()
  }

  private func load() async {
    await model.loadUserProfile(userId: stage.bob.id)
    await model.waitForLikes()
  }

  private func expectNew(_ comment: Testing.Comment) {
    #expect(model.posts.first?.content == "news" && model.posts.count == 4, comment)
    #expect(model.likeCount(stage.posts[0]) == 2 && model.isLiked(stage.posts[0]), comment)
    #expect(model.errorMessage == nil, comment)
  }

  @Test func theGatewaysAnswerStays() async {
    expectNew("loaded")
    #expect(!model.showsStoredContent && model.outdatedMessage == nil)
    await load()
    expectNew("loaded again")
  }

  @Test func itAlsoStaysIfTheGatewayCannotBeReachedLater() async {
    stage.goOffline()
    await load()
    expectNew("without a connection")
    #expect(model.outdatedMessage != nil && !model.showsStoredContent)
    stage.gateway.open()
    await load()
    expectNew("with a connection")
    #expect(model.outdatedMessage == nil)
  }

  @Test func storedLikesOfAnotherTabChangeNone() async throws {
    let model = try stage.model(storingIn: store)
    await model.loadUserProfile(userId: stage.bob.id)
    await model.waitForLikes()
    stage.gateway.shut()
    let load = Task { await model.loadContent(for: .liked) }
    await stage.wait { !model.likedPosts.isEmpty }
    #expect(model.likeCount(stage.posts[0]) == 2 && model.isLiked(stage.posts[0]))
    stage.goOffline()
    await load.value
    #expect(model.likeCount(stage.posts[0]) == 2 && model.isLiked(stage.posts[0]))
  }
}
