import NovaContent
import NovaCore
import NovaOffline
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Profiles in offline mode, without requests to the gateway.
@Suite(.hangLimit) @MainActor struct OfflineModeTests {
  private static let notStored = "This is not stored on this device. Loading it needs a network connection."

  @Test func whatIsStoredShowsWithoutAnError() async throws {
    let stage = try await OfflineStage()
    await stage.load(stage.bob)
    try await stage.restart(isOffline: true)
    await stage.load(stage.bob)
    #expect(stage.model.userProfile?.username == "bob" && stage.model.posts.map(\.id) == stage.posts)
    #expect(stage.model.errorMessage == nil && stage.model.showsStoredContent)
    await stage.model.loadContent(for: .liked)
    #expect(stage.model.errorMessage == "Could not load the liked posts. \(Self.notStored)")
    await stage.load(stage.ada)
    #expect(stage.model.errorMessage?.hasPrefix("Could not load the profile") == true)
    #expect(stage.model.errorMessage?.hasSuffix(Self.notStored) == true)
    #expect(stage.model.userProfile == nil && !stage.model.showsStoredContent)
  }

  @Test func partsThatAreNotStoredAreNoErrorBesideOthers() async throws {
    let stage = try await OfflineStage()
    await stage.model.loadUserProfile(userId: stage.ada.id)
    await stage.model.loadFollowers(userId: stage.bob.id)
    try await stage.restart(isOffline: true)
    await stage.load(stage.bob)
    #expect(stage.model.showsStoredContent && stage.model.posts.isEmpty)
    #expect(stage.model.errorMessage == nil)
  }

  @Test func servicesThatReadOnlyTheStoreAreTheSame() async throws {
    let stage = try await OfflineStage()
    var model = stage.model(.cacheOnly)
    await model.loadUserProfile(userId: stage.bob.id)
    #expect(model.errorMessage?.hasPrefix("Could not load the profile") == true)
    #expect(model.errorMessage?.hasSuffix(Self.notStored) == true)
    await stage.load(stage.bob)
    model = stage.model(.cacheOnly)
    await model.loadUserProfile(userId: stage.bob.id)
    #expect(model.userProfile?.username == "bob" && model.posts.map(\.id) == stage.posts)
    #expect(model.errorMessage == nil && model.outdatedMessage == nil && model.showsStoredContent)
    await model.loadContent(for: .liked)
    #expect(model.errorMessage == "Could not load the liked posts. \(Self.notStored)")
    #expect(model.userProfile != nil)
  }
}
