import NovaContent
import NovaCore
import NovaSocial

extension ContractScenario {
  static let likes = [like, share, socialBatches]

  private static let like = ContractScenario(
    "social.like", summary: "A like counts once, shows in stats and in the liker's list, and can be removed."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: ada)
    for time in ["bea likes the post", "bea likes it again"] {
      await run.step(time) { try await bea.social.createLike(postId: post.id, userId: bea.id) }.expect(1)
    }
    await run.step("ada likes it, too") { try await ada.social.createLike(postId: post.id, userId: ada.id) }.expect(2)
    await run.step("who likes it") { try await ada.social.getPostLikes(postId: post.id) }
      .expect { $0.userIds == [ada.id, bea.id] && $0.totalCount == 2 && !$0.hasMore }
    await run.step("the count") { try await ada.social.getLikeCount(postId: post.id) }.expect(2)
    await run.step("bea has liked it") { try await ada.social.checkUserLiked(postId: post.id, userId: bea.id) }
      .expect(true)
    await run.step("the stats") { try await ada.social.batchGetPostStats(postIds: [post.id]) }
      .expect { $0[post.id]?.likeCount == 2 }
    await run.step("what bea likes") { try await bea.social.getUserLikedPosts(userId: bea.id) }
      .expect { $0.postIds == [post.id] && $0.total == 1 && !$0.hasMore }
    await run.step("the posts bea likes") {
      try await bea.content.getPostsByIds(postIds: try await bea.social.likedPostIds(by: bea.id).all())
    }.expect([post])
    for time in ["bea removes her like", "bea removes her like again"] {
      await run.step(time) { try await bea.social.deleteLike(postId: post.id, userId: bea.id) }.expect(1)
    }
    await run.step("bea has not liked it") { try await ada.social.checkUserLiked(postId: post.id, userId: bea.id) }
      .expect(false)
    await run.step("bea likes nothing") { try await bea.social.getUserLikedPosts(userId: bea.id) }
      .expect { $0.postIds.isEmpty && $0.total == 0 }
  }

  private static let share = ContractScenario("social.share", summary: "Each share counts, of whichever kind.") { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: ada)
    await run.step("bea has not shared it") { try await bea.social.checkUserShared(postId: post.id, userId: bea.id) }
      .expect(false)
    for (count, type) in [ShareType.repost, .story, .directMessage, .repost].enumerated() {
      await run.step("bea shares it as \(type.rawValue)") {
        try await bea.social.createShare(postId: post.id, userId: bea.id, shareType: type)
      }.expect(count + 1)
    }
    await run.step("the count") { try await ada.social.getShareCount(postId: post.id) }.expect(4)
    await run.step("bea has shared it") { try await ada.social.checkUserShared(postId: post.id, userId: bea.id) }
      .expect(true)
    await run.step("another kind", fails: .invalidArgument) {
      try await bea.social.createShare(postId: post.id, userId: bea.id, shareType: ShareType(rawValue: "fax"))
    }
  }

  private static let socialBatches = ContractScenario(
    "social.batch", summary: "Likes and stats of any number of posts, and at most 100 in one request."
  ) { run in
    let ada = try await run.user("ada")
    let post = try await run.post(of: ada)
    await run.step("ada likes it") { try await ada.social.createLike(postId: post.id, userId: ada.id) }
    let ids = run.missing(130) + [post.id] + run.missing(200).suffix(70)
    await run.step("which of 201 posts ada likes") {
      try await ada.social.batchCheckUserLiked(postIds: ids, userId: ada.id)
    }.expect { $0.count == 201 && $0.filter(\.value).map(\.key) == [post.id] }
    await run.step("the stats of 201 posts") { try await ada.social.batchGetPostStats(postIds: ids) }
      .expect { stats in stats[post.id]?.likeCount == 1 && stats.values.map(\.likeCount).reduce(0, +) == 1 }
    await run.step("100 stats at once") { try await ada.social.batchGetPostStats(.init(postIds: run.missing(100))) }
  }
}
