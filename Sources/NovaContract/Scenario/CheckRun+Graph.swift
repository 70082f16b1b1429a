import NovaCore
import NovaGraph

extension CheckRun {
  mutating func checkGraph(_ me: String) async throws {
    if !isReadOnly, let own = facts.account?.id, let other = facts.otherAccount?.id {
      try await checkFollows(own, other)
      try await checkMutes(own, other)
      try await checkBlocks(own, other)
    } else {
      let writes = [
        GraphRPC.createFollow.descriptor, GraphRPC.deleteFollow.descriptor, GraphRPC.createMute.descriptor,
        GraphRPC.deleteMute.descriptor, GraphRPC.createBlock.descriptor, GraphRPC.deleteBlock.descriptor,
      ]
      skip(writes, "it needs two accounts of its own")
    }
    try await checkEdges(me, facts.somebodyElse ?? Facts.unknownID)
  }

  private mutating func checkEdges(_ me: String, _ other: String) async throws {
    for user in [me] + facts.users.prefix(3).filter({ $0 != me }) {
      let name = user == me ? "a user" : "another user"
      try await valid(GraphRPC.getFollowers, GetFollowersRequest(userId: user), name)
      try await valid(GraphRPC.getFollowing, GetFollowingRequest(userId: user), name)
    }
    try await valid(GraphRPC.isFollowing, IsFollowingRequest(followerId: me, followeeId: other), "two users")
    try await valid(
      GraphRPC.batchCheckFollowing,
      BatchCheckFollowingRequest(followerId: me, followeeIds: facts.users.prefix(5) + [Facts.unknownID]), "users")
    try await valid(GraphRPC.isMuted, IsMutedRequest(muterId: me, muteeId: other), "two users")
    try await valid(GraphRPC.isBlocked, IsBlockedRequest(blockerId: me, blockedId: other), "two users")
  }

  private mutating func checkFollows(_ me: String, _ other: String) async throws {
    let follow = CreateFollowRequest(followerId: me, followeeId: other)
    let unfollow = DeleteFollowRequest(followerId: me, followeeId: other)
    await created("follow", deletion: GraphRPC.deleteFollow, unfollow)
    try await valid(GraphRPC.createFollow, follow, "two users")
    try await valid(GraphRPC.createFollow, follow, "the same again")
    try await refused(
      GraphRPC.createFollow, CreateFollowRequest(followerId: me, followeeId: me), "oneself", .invalidArgument)
    try await valid(GraphRPC.isFollowing, IsFollowingRequest(followerId: me, followeeId: other), "two who do")
    try await valid(GraphRPC.getFollowing, GetFollowingRequest(userId: me), "a user who follows")
    try await valid(GraphRPC.getFollowers, GetFollowersRequest(userId: other), "a user who is followed")
    if try await valid(GraphRPC.deleteFollow, unfollow, "two users", invalidFirst: true) != nil { deleted("follow") }
    try await valid(GraphRPC.deleteFollow, unfollow, "the same again")
  }

  private mutating func checkMutes(_ me: String, _ other: String) async throws {
    let unmute = DeleteMuteRequest(muterId: me, muteeId: other)
    await created("mute", deletion: GraphRPC.deleteMute, unmute)
    try await valid(GraphRPC.createMute, CreateMuteRequest(muterId: me, muteeId: other), "two users")
    try await valid(GraphRPC.isMuted, IsMutedRequest(muterId: me, muteeId: other), "two users")
    if try await valid(GraphRPC.deleteMute, unmute, "two users", invalidFirst: true) != nil { deleted("mute") }
  }

  private mutating func checkBlocks(_ me: String, _ other: String) async throws {
    let unblock = DeleteBlockRequest(blockerId: me, blockedId: other)
    await created("block", deletion: GraphRPC.deleteBlock, unblock)
    try await valid(GraphRPC.createBlock, CreateBlockRequest(blockerId: me, blockedId: other), "two users")
    try await valid(GraphRPC.isBlocked, IsBlockedRequest(blockerId: me, blockedId: other), "two users")
    try await refused(
      GraphRPC.createFollow, CreateFollowRequest(followerId: me, followeeId: other), "across a block",
      .permissionDenied)
    if try await valid(GraphRPC.deleteBlock, unblock, "two users", invalidFirst: true) != nil { deleted("block") }
  }
}
