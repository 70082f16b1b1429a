import NovaContent
import NovaCore
import NovaFeed
import NovaGraph

extension ContractScenario {
  static let blocks = [mute, block]

  private static let mute = ContractScenario(
    "graph.mute", summary: "A mute keeps the follow and clears the feed, until it ends."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: bea)
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    for time in ["ada mutes bea", "ada mutes bea again"] {
      await run.step(time) { try await ada.graph.muteUser(muterId: ada.id, muteeId: bea.id) }
    }
    await run.step("bea is muted for ada") { try await ada.graph.isMuted(muterId: ada.id, muteeId: bea.id) }
      .expect(true)
    await run.step("ada is not muted for bea") { try await ada.graph.isMuted(muterId: bea.id, muteeId: ada.id) }
      .expect(false)
    await run.step("ada follows bea still") { try await ada.graph.isFollowing(followerId: ada.id, followeeId: bea.id) }
      .expect(true)
    await run.step("ada's feed is empty") { try await ada.feed.getFeed(userId: ada.id) }.expect { $0.posts.isEmpty }
    for time in ["ada unmutes bea", "ada unmutes bea again"] {
      await run.step(time) { try await ada.graph.unmuteUser(muterId: ada.id, muteeId: bea.id) }
    }
    await run.step("bea is not muted") { try await ada.graph.isMuted(muterId: ada.id, muteeId: bea.id) }.expect(false)
    await run.step("ada's feed has the post") { try await ada.feed.getFeed(userId: ada.id) }
      .expect { $0.posts.map(\.id) == [post.id] }
  }

  private static let block = ContractScenario(
    "graph.block", summary: "A block ends both follows and prevents new ones; its end brings none back."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await run.step("bea follows ada") { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) }
    for time in ["ada blocks bea", "ada blocks bea again"] {
      await run.step(time) { try await ada.graph.blockUser(blockerId: ada.id, blockedId: bea.id) }
    }
    await run.step("bea is blocked") { try await ada.graph.isBlocked(blockerId: ada.id, blockedId: bea.id) }
      .expect(true)
    await run.step("ada is not") { try await ada.graph.isBlocked(blockerId: bea.id, blockedId: ada.id) }.expect(false)
    for user in [ada, bea] {
      await run.step("no followers") { try await user.graph.getFollowers(userId: user.id) }
        .expect { $0.userIds.isEmpty && $0.totalCount == 0 }
      await run.step("no followees") { try await user.graph.getFollowing(userId: user.id) }
        .expect { $0.userIds.isEmpty && $0.totalCount == 0 }
    }
    await run.step("the blocked user cannot follow", fails: .permissionDenied) {
      try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id)
    }
    await run.step("the blocker cannot follow", fails: .permissionDenied) {
      try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id)
    }
    await run.step("unfollowing succeeds") { try await ada.graph.unfollowUser(followerId: ada.id, followeeId: bea.id) }
    for time in ["ada unblocks bea", "ada unblocks bea again"] {
      await run.step(time) { try await ada.graph.unblockUser(blockerId: ada.id, blockedId: bea.id) }
    }
    await run.step("the follows are gone") { try await ada.graph.isFollowing(followerId: ada.id, followeeId: bea.id) }
      .expect(false)
    await run.step("bea may follow again") { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) }
  }
}
