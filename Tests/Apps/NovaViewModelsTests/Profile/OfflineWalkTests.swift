import NovaContent
import NovaCore
import NovaOffline
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Random taps, loads, restarts, and connections: the last tap is always shown, and counts once.
///
/// With even seeds, responses to writes are lost as well. While writes are sent during a load, and after a lost
/// response, counts may be wrong until they are read from the gateway again.
@Suite(.hangLimit) @MainActor struct OfflineWalkTests {
  private struct Wanted {
    var follows = false
    var likes: Set<String> = []
  }

  private nonisolated static let writes: Set<String> = ["like", "unlike", "follow", "unfollow"]

  // The last seeds have failed before.
  @Test(arguments: TestDepth.cases([UInt64](1...24) + [182, 252, 323, 336, 362], sample: 4) { $0 > 24 })
  func theLastTapIsShownAndCountsOnce(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let stage = try await OfflineStage()
    let losesAnswers = seed.isMultiple(of: 2)
    var wanted = Wanted()
    await stage.model.loadUserProfile(userId: stage.ada.id)
    await stage.model.loadContent(for: .liked)
    await stage.load(stage.bob)
    var steps: [Int] = []
    var areCountsSure = true
    for _ in 0..<40 {
      let step = Int.random(in: losesAnswers ? 0..<13 : 0..<12, using: &random)
      steps.append(step)
      let post = stage.posts.randomElement(using: &random) ?? ""
      switch step {
      case 0: stage.goOffline()
      case 1: stage.gateway.open()
      case 2, 3: try await stage.goOnline()
      case 4...6:
        let isAllSent = try await stage.offline.outbox.entries.isEmpty
        if step == 4 { try await stage.restart() }
        await stage.load(stage.bob)
        if !stage.model.showsStoredContent { areCountsSure = isAllSent }
      case 7: stage.advance(seconds: Int64.random(in: 1...20, using: &random))
      case 8, 9:
        wanted.follows.toggle()
        if wanted.follows {
          await stage.model.followUser(userId: stage.bob.id)
        } else {
          await stage.model.unfollowUser(userId: stage.bob.id)
        }
      case 12:
        areCountsSure = false
        stage.gateway.open { Self.writes.contains($0.name) ? .lostAfterwards : .answered }
      default:
        if wanted.likes.remove(post) == nil {
          wanted.likes.insert(post)
          await stage.model.likePost(postId: post)
        } else {
          await stage.model.unlikePost(postId: post)
        }
      }
      expect(wanted, on: stage, areCountsSure: areCountsSure, "\(steps)")
    }
    try await stage.goOnline()
    #expect(try await stage.offline.outbox.entries.isEmpty)
    await stage.load(stage.bob)
    expect(wanted, on: stage, areCountsSure: true, "at the end")
    #expect(try stage.followersOfBob() == (wanted.follows ? [stage.ada.id] : []))
    for post in stage.posts { #expect(try stage.likeCount(post) == (wanted.likes.contains(post) ? 1 : 0)) }
    await stage.model.loadUserProfile(userId: stage.ada.id)
    await stage.model.loadContent(for: .liked)
    #expect(Set(stage.model.likedPosts.map(\.id)) == wanted.likes)
    #expect(stage.model.userProfile?.followingCount == (wanted.follows ? 1 : 0))
  }

  private func expect(
    _ wanted: Wanted, on stage: OfflineStage, areCountsSure: Bool, _ comment: Testing.Comment
  ) {
    let model = stage.model
    #expect(model.errorMessage == nil, comment)
    #expect(model.isFollowing == wanted.follows, comment)
    #expect(model.followerIds == (wanted.follows ? [stage.ada.id] : []), comment)
    for post in stage.posts { #expect(model.isLiked(post) == wanted.likes.contains(post), comment) }
    guard areCountsSure else { return }
    #expect(model.userProfile?.followerCount == (wanted.follows ? 1 : 0), comment)
    for post in stage.posts { #expect(model.likeCount(post) == (wanted.likes.contains(post) ? 1 : 0), comment) }
  }
}
