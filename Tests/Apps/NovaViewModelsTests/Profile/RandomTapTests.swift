import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Taps without loads: the model shows the server's state after them, without another request.
@Suite(.hangLimit) @MainActor struct RandomTapTests {
  @Test(arguments: 0..<40) func whatIsShownIsSo(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let person = seed.isMultiple(of: 2) ? "user-1" : "user-2"
    let stage = try Stage(seed: seed)
    let model = stage.model
    await stage.load(person)
    await model.loadContent(for: .liked)
    await model.waitForLikes()
    let posts = model.posts.prefix(3).map(\.id)
    stage.gateway.shut()
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<30 {
      let isWanted = Bool.random(using: &random)
      let post = posts.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let other = person == "user-1" ? "user-3" : person
        tasks.append(
          Task { isWanted ? await model.followUser(userId: other) : await model.unfollowUser(userId: other) })
      case 1:
        tasks.append(Task { isWanted ? await model.likePost(postId: post) : await model.unlikePost(postId: post) })
      case 2:
        tasks.append(
          Task { isWanted ? await model.bookmarkPost(postId: post) : await model.unbookmarkPost(postId: post) })
      default:
        let outcome: HeldGateway.Outcome = random.one(in: 3) ? .refused : .answered
        let number = stage.gateway.waiting.randomElement(using: &random)?.number
        stage.gateway.release(outcome) { $0.number == number }
      }
      for _ in 0..<Int.random(in: 0..<10, using: &random) { await Task.yield() }
    }
    stage.gateway.open()
    for task in tasks { await task.value }
    #expect(stage.gateway.doubled.isEmpty)
    #expect(model.userProfile == (try await stage.users.getUserProfile(userId: person)))
    #expect(Set(model.followerIds) == Set(try await stage.graph.getFollowers(userId: person).userIds))
    #expect(Set(model.followingIds) == Set(try await stage.graph.getFollowing(userId: person).userIds))
    #expect(Set(model.savedPosts) == Set(try await stage.content.getUserBookmarks(userId: person).posts))
    #expect(Set(model.likedPosts.map(\.id)) == Set(try await stage.social.getUserLikedPosts(userId: person).postIds))
    for post in posts {
      #expect(model.isLiked(post) == (try await stage.social.checkUserLiked(postId: post, userId: "user-1")))
      #expect(model.likeCount(post) == (try await stage.social.getLikeCount(postId: post)))
    }
  }
}
