import NovaCore
import NovaGraph

extension SurveyRun {
  mutating func checkGraph(_ me: String) async throws {
    if let own = writer?.id, let other = discovered.otherAccount?.id {
      try await checkFollows(own, other)
      try await checkMutes(own, other)
      try await checkBlocks(own, other)
    } else {
      skip(
        GraphRPC.createFollow, GraphRPC.deleteFollow, GraphRPC.createMute, GraphRPC.deleteMute, GraphRPC.createBlock,
        GraphRPC.deleteBlock, because: "the check has no two accounts of its own")
    }
    try await checkReads(me, discovered.somebodyElse ?? unknownID)
  }

  private mutating func checkReads(_ me: String, _ other: String) async throws {
    for user in discovered.users(from: me, others: 3) {
      try await valid(GraphRPC.getFollowers, .init(userId: user.id), as: user.name)
      try await valid(GraphRPC.getFollowing, .init(userId: user.id), as: user.name)
    }
    try await valid(GraphRPC.isFollowing, .init(followerId: me, followeeId: other), as: "two users")
    try await valid(
      GraphRPC.batchCheckFollowing, .init(followerId: me, followeeIds: discovered.users.prefix(5) + [unknownID]),
      as: "users")
    try await valid(GraphRPC.isMuted, .init(muterId: me, muteeId: other), as: "two users")
    try await valid(GraphRPC.isBlocked, .init(blockerId: me, blockedId: other), as: "two users")
  }

  private mutating func checkFollows(_ me: String, _ other: String) async throws {
    let follow = CreateFollowRequest(followerId: me, followeeId: other)
    let unfollow = DeleteFollowRequest(followerId: me, followeeId: other)
    await created("follow", deletion: GraphRPC.deleteFollow, unfollow)
    try await valid(GraphRPC.createFollow, follow, as: "two users")
    try await valid(GraphRPC.createFollow, follow, as: "the same again")
    try await refused(
      GraphRPC.createFollow, .init(followerId: me, followeeId: me), as: "oneself", with: .invalidArgument)
    let written = "the follow"
    try await valid(
      GraphRPC.isFollowing, .init(followerId: me, followeeId: other), as: "two who do", showing: written
    ) { $0.isFollowing }
    try await valid(
      GraphRPC.getFollowing, .init(userId: me), as: "a user who follows", showing: written
    ) { $0.userIds.contains(other) }
    try await valid(
      GraphRPC.getFollowers, .init(userId: other), as: "a user who is followed", showing: written
    ) { $0.userIds.contains(me) }
    try await valid(GraphRPC.deleteFollow, unfollow, as: "two users")
    try await valid(GraphRPC.deleteFollow, unfollow, as: "the same again")
  }

  private mutating func checkMutes(_ me: String, _ other: String) async throws {
    let unmute = DeleteMuteRequest(muterId: me, muteeId: other)
    await created("mute", deletion: GraphRPC.deleteMute, unmute)
    try await valid(GraphRPC.createMute, .init(muterId: me, muteeId: other), as: "two users")
    try await valid(
      GraphRPC.isMuted, .init(muterId: me, muteeId: other), as: "two users", showing: "the mute"
    ) { $0.isMuted }
    try await valid(GraphRPC.deleteMute, unmute, as: "two users")
  }

  private mutating func checkBlocks(_ me: String, _ other: String) async throws {
    let unblock = DeleteBlockRequest(blockerId: me, blockedId: other)
    await created("block", deletion: GraphRPC.deleteBlock, unblock)
    try await valid(GraphRPC.createBlock, .init(blockerId: me, blockedId: other), as: "two users")
    try await valid(
      GraphRPC.isBlocked, .init(blockerId: me, blockedId: other), as: "two users", showing: "the block"
    ) { $0.isBlocked }
    try await refused(
      GraphRPC.createFollow, .init(followerId: me, followeeId: other), as: "across a block", with: .permissionDenied)
    try await valid(GraphRPC.deleteBlock, unblock, as: "two users")
  }
}
