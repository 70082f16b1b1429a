import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Observation
import Testing

@testable import NovaViewModels

/// The observation by a view, which reads properties and is notified once when one of them changes.
@Suite(.hangLimit) @MainActor struct ProfileObservationTests {
  /// Whether `change` changes a property that `read` reads.
  private func isTold(_ read: () -> Void, _ change: () async -> Void) async -> Bool {
    let isTold = Locked(false)
    withObservationTracking(read) { isTold.withLock { $0 = true } }
    await change()
    return isTold.withLock { $0 }
  }

  @Test func viewsAreNotifiedOfWhatTheyRead() async throws {
    let stage = try Stage()
    let model = stage.model
    #expect(await isTold({ _ = model.userProfile }, { await stage.load("user-2") }))
    #expect(await isTold({ _ = model.isLoading }, { await stage.load("user-2") }))
    #expect(await isTold({ _ = model.currentTabPosts }, { model.selectedTab = .saved }))
    let post = try #require(model.posts.first { !model.isLiked($0.id) }).id
    #expect(await isTold({ _ = model.isLiked(post) }, { await model.likePost(postId: post) }))
    #expect(await isTold({ _ = model.likeCount(post) }, { await model.unlikePost(postId: post) }))
    stage.gateway.open { _ in .refused }
    #expect(await isTold({ _ = model.errorMessage }, { await model.likePost(postId: post) }))
  }

  @Test func viewsAreNotNotifiedOfOtherChanges() async throws {
    let stage = try Stage()
    let model = stage.model
    await stage.load("user-2")
    #expect(await !isTold({ _ = model.posts }, { await model.loadFollowers() }))
    #expect(await !isTold({ _ = model.userProfile }, { model.selectedTab = .saved }))
  }

  @available(macOS 26, *)
  @Test func aFollowShowsAtOnceAndIsRolledBack() async throws {
    let stage = try Stage()
    let id = try await stage.stranger()
    await stage.load(id)
    let model = stage.model
    let count = try #require(model.userProfile?.followerCount)
    stage.gateway.shut()
    var counts = Observations { model.userProfile?.followerCount }.makeAsyncIterator()
    #expect(await counts.next() == count)
    let follow = Task { await model.followUser(userId: id) }
    #expect(await counts.next() == count + 1)
    await stage.gateway.waitForCalls(1)
    stage.gateway.release(.refused)
    #expect(await counts.next() == count)
    await follow.value
  }
}
