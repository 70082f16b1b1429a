import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaUsers

extension ContractScenario {
  static let graph = [follow, followerPages, followBatch]
  static let blocks = [mute, block]

  private static let follow = ContractScenario(
    "graph.follow", summary: "A follow counts on both sides, brings posts into the feed, and ends."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: bea, "Bread came out well.")
    await run.step("bea has no followers") { try await ada.graph.getFollowers(userId: bea.id) }
      .expect(GetFollowersResponse())
    await run.twice("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await run.step("bea's followers") { try await ada.graph.getFollowers(userId: bea.id) }
      .expect { $0.userIds == [ada.id] && $0.totalCount == 1 && !$0.hasMore }
    await run.step("ada's followees") { try await ada.graph.getFollowing(userId: ada.id) }
      .expect { $0.userIds == [bea.id] && $0.totalCount == 1 && !$0.hasMore }
    await run.step("ada is following bea") { try await ada.graph.isFollowing(followerId: ada.id, followeeId: bea.id) }
      .expect(true)
    await run.step("bea is not following ada") {
      try await ada.graph.isFollowing(followerId: bea.id, followeeId: ada.id)
    }
    .expect(false)
    await run.step("bea's profile counts it") { try await ada.users.getUserProfile(userId: bea.id) }
      .expect { [$0.followerCount, $0.followingCount, $0.postCount] == [1, 0, 1] }
    await run.step("ada's profile counts it") { try await ada.users.getUserProfile(userId: ada.id) }
      .expect { $0.followerCount == 0 && $0.followingCount == 1 }
    for algorithm in [FeedAlgorithm.chronological, .v2, .hybrid] {
      await run.step("ada's feed, \(algorithm.rawValue)") {
        try await ada.feed.getFeed(userId: ada.id, algorithm: algorithm)
      }.expect { $0.posts.map(\.id) == [post.id] && !$0.hasMore }
    }
    await run.twice("ada unfollows bea") { try await ada.graph.unfollowUser(followerId: ada.id, followeeId: bea.id) }
    await run.step("bea has no followers again") { try await ada.graph.getFollowers(userId: bea.id) }
      .expect(GetFollowersResponse())
    await run.step("the feed's cache is invalidated") {
      try await ada.feed.invalidateFeedCache(userId: ada.id, eventType: "unfollow")
    }
    await run.step("ada's feed is empty") { try await ada.feed.getFeed(userId: ada.id) }.expect { $0.posts.isEmpty }
  }

  private static let followerPages = ContractScenario(
    "graph.pages", summary: "Followers and followees come newest first, page by page to the end."
  ) { run in
    let star = try await run.user("star")
    var fans: [ContractUser] = []
    for name in ["ada", "bea", "cem", "dan", "eva"] { fans.append(try await run.user(name)) }
    for fan in fans {
      await run.step("a fan follows the star") {
        try await fan.graph.followUser(followerId: fan.id, followeeId: star.id)
      }
      await run.step("and the star the fan") {
        try await star.graph.followUser(followerId: star.id, followeeId: fan.id)
      }
    }
    let newestFirst = fans.map(\.id).reversed() as [String]
    for offset in [0, 2, 4, 5, 1_000_000] {
      await run.step("two followers from \(offset)") {
        try await star.graph.getFollowers(userId: star.id, limit: 2, offset: offset)
      }.expect {
        $0.userIds == Array(newestFirst.dropFirst(offset).prefix(2)) && $0.totalCount == 5 && $0.hasMore == (offset < 3)
      }
    }
    await run.step("a limit over the maximum") { try await star.graph.getFollowers(userId: star.id, limit: 1_000_000) }
      .expect { $0.userIds == newestFirst && !$0.hasMore }
    for pageSize in [1, 2, 5, 1000] {
      await run.step("all followers, \(pageSize) at a time") {
        try await star.graph.followers(of: star.id, pageSize: pageSize).all()
      }.expect(newestFirst)
      await run.step("all followees, \(pageSize) at a time") {
        try await star.graph.following(of: star.id, pageSize: pageSize).all()
      }.expect(newestFirst)
    }
  }

  private static let followBatch = ContractScenario(
    "graph.batch", summary: "Whether one follows many: any number of ids, and at most 100 in one request."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    let ids = run.missing(249) + [bea.id]
    await run.step("250 ids") { try await ada.graph.batchCheckFollowing(followerId: ada.id, followeeIds: ids) }
      .expect { $0.count == 250 && $0.filter(\.value).map(\.key) == [bea.id] }
    await run.step("no ids") { try await ada.graph.batchCheckFollowing(followerId: ada.id, followeeIds: []) }
      .expect { $0.isEmpty }
  }

  private static let mute = ContractScenario(
    "graph.mute", summary: "A mute keeps the follow, and hides posts from the feed until it ends."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: bea)
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await run.twice("ada mutes bea") { try await ada.graph.muteUser(muterId: ada.id, muteeId: bea.id) }
    await run.step("bea is muted for ada") { try await ada.graph.isMuted(muterId: ada.id, muteeId: bea.id) }
      .expect(true)
    await run.step("ada is not muted for bea") { try await ada.graph.isMuted(muterId: bea.id, muteeId: ada.id) }
      .expect(false)
    await run.step("ada follows bea still") { try await ada.graph.isFollowing(followerId: ada.id, followeeId: bea.id) }
      .expect(true)
    await run.step("ada's feed is empty") { try await ada.feed.getFeed(userId: ada.id) }.expect { $0.posts.isEmpty }
    await run.twice("ada unmutes bea") { try await ada.graph.unmuteUser(muterId: ada.id, muteeId: bea.id) }
    await run.step("bea is not muted") { try await ada.graph.isMuted(muterId: ada.id, muteeId: bea.id) }.expect(false)
    await run.step("ada's feed has the post") { try await ada.feed.getFeed(userId: ada.id) }
      .expect { $0.posts.map(\.id) == [post.id] }
  }

  private static let block = ContractScenario(
    "graph.block", summary: "A block ends both follows and prevents new ones; unblocking does not restore them."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await run.step("bea follows ada") { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) }
    await run.twice("ada blocks bea") { try await ada.graph.blockUser(blockerId: ada.id, blockedId: bea.id) }
    await run.step("bea is blocked") { try await ada.graph.isBlocked(blockerId: ada.id, blockedId: bea.id) }
      .expect(true)
    await run.step("ada is not") { try await ada.graph.isBlocked(blockerId: bea.id, blockedId: ada.id) }.expect(false)
    for user in [ada, bea] {
      await run.step("no followers") { try await user.graph.getFollowers(userId: user.id) }
        .expect { $0.userIds.isEmpty && $0.totalCount == 0 }
      await run.step("no followees") { try await user.graph.getFollowing(userId: user.id) }
        .expect { $0.userIds.isEmpty && $0.totalCount == 0 }
    }
    await run.steps(
      fail: .permissionDenied,
      [
        "the blocked user cannot follow": { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) },
        "the blocker cannot follow": { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) },
      ])
    await run.step("unfollowing succeeds") { try await ada.graph.unfollowUser(followerId: ada.id, followeeId: bea.id) }
    await run.twice("ada unblocks bea") { try await ada.graph.unblockUser(blockerId: ada.id, blockedId: bea.id) }
    await run.step("the follows are gone") { try await ada.graph.isFollowing(followerId: ada.id, followeeId: bea.id) }
      .expect(false)
    await run.step("bea may follow again") { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) }
  }
}
