import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@testable import NovaMock

/// Follows, blocks and mutes.
extension SocialSteps {
  mutating func follow() async {
    let pair = SocialModel.Pair(user: user(), other: user())
    if pair.user == pair.other { return }
    if generator.next(below: 4) > 0 {
      await expect(model.isBlocked(pair.user, pair.other) ? .permissionDenied : nil) { [session] in
        try await session.graph.followUser(followerId: pair.user, followeeId: pair.other)
      } then: {
        $0.follows.insert(pair)
      }
    } else {
      await expect(nil) { [session] in
        try await session.graph.unfollowUser(followerId: pair.user, followeeId: pair.other)
      } then: {
        $0.follows.remove(pair)
      }
    }
  }

  mutating func hide() async {
    let pair = SocialModel.Pair(user: user(), other: user())
    if pair.user == pair.other { return }
    let graph = session.graph
    switch generator.next(below: 6) {
    case 0:
      await expect(nil) {
        try await graph.blockUser(blockerId: pair.user, blockedId: pair.other)
      } then: {
        $0.blocks.insert(pair)
        $0.follows.remove(pair)
        $0.follows.remove(SocialModel.Pair(user: pair.other, other: pair.user))
      }
    case 1, 2:
      await expect(nil) {
        try await graph.unblockUser(blockerId: pair.user, blockedId: pair.other)
      } then: {
        $0.blocks.remove(pair)
      }
    case 3:
      await expect(nil) {
        try await graph.muteUser(muterId: pair.user, muteeId: pair.other)
      } then: {
        $0.mutes.insert(pair)
      }
    default:
      await expect(nil) {
        try await graph.unmuteUser(muterId: pair.user, muteeId: pair.other)
      } then: {
        $0.mutes.remove(pair)
      }
    }
  }
}
