import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaSocial

extension ContractScenario {
  static let feeds = [privacy, creators]

  private static let privacy = ContractScenario(
    "feed.privacy", summary: "Feeds hide what is private, a draft or archived, and page to the end with a cursor."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("bea follows ada") { try await bea.graph.followUser(followerId: bea.id, followeeId: ada.id) }
    var shown: [String] = []
    for (text, privacy, status) in [
      ("Public.", PostPrivacy.everyone, PostStatus.published), ("Private.", .onlyMe, .published),
      ("For followers.", .followers, .published), ("A draft.", .everyone, .draft),
      ("Archived.", .everyone, .archived), ("Public again.", .everyone, .published),
    ] {
      let post = try await run.step("ada posts: \(text)") {
        try await ada.content.createPost(creatorId: ada.id, content: text, privacy: privacy, status: status)
      }.value
      run.deleteLater(post, of: ada)
      if privacy != .onlyMe, status == .published { shown.insert(post.id, at: 0) }
    }
    let order = shown
    await run.step("bea's feed") { try await bea.feed.getFeed(userId: bea.id, algorithm: .chronological) }
      .expect { $0.posts.map(\.id) == order }
    for pageSize in [1, 2, 3, 50] {
      await run.step("to the end, \(pageSize) at a time") {
        try await bea.feed.feed(of: bea.id, algorithm: .chronological, pageSize: pageSize).all()
      }.expect { $0.map(\.id) == order }
    }
    let page = try await run.step("the first page") {
      try await bea.feed.getFeed(userId: bea.id, limit: 2, algorithm: .chronological)
    }.expect { $0.posts.map(\.id) == Array(order.prefix(2)) && $0.hasMore && !$0.nextCursor.isEmpty }.value
    await run.step("the page after it") {
      try await bea.feed.getFeed(userId: bea.id, limit: 2, cursor: page.nextCursor, algorithm: .chronological)
    }.expect { $0.posts.map(\.id) == Array(order.dropFirst(2)) && !$0.hasMore && $0.nextCursor.isEmpty }
    await run.step("a cursor of another feed", fails: .invalidArgument) {
      try await ada.feed.getFeed(userId: ada.id, cursor: page.nextCursor, algorithm: .chronological)
    }
    await run.step("a malformed cursor", fails: .invalidArgument) {
      try await bea.feed.getFeed(userId: bea.id, cursor: "nonsense")
    }
    await run.step("an unknown algorithm", fails: .invalidArgument) {
      try await bea.feed.getFeed(userId: bea.id, algorithm: FeedAlgorithm(rawValue: "luck"))
    }
  }

  private static let creators = ContractScenario(
    "feed.creators", summary: "The users that one's followees follow are recommended; posts are ranked."
  ) { run in
    let (ada, bea, cem) = (try await run.user("ada"), try await run.user("bea"), try await run.user("cem"))
    await run.step("no recommendations") { try await ada.feed.getRecommendedCreators(userId: ada.id) }
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await run.step("bea follows cem") { try await bea.graph.followUser(followerId: bea.id, followeeId: cem.id) }
    await run.step("recommended to ada") { try await ada.feed.getRecommendedCreators(userId: ada.id, limit: 5) }
    let posts = [
      RankablePost(id: "\(run.prefix)-old", authorId: cem.id, content: "Old.", createdAt: 1_500_000_000),
      RankablePost(
        id: "\(run.prefix)-new", authorId: bea.id, content: "About bread.", createdAt: 1_600_000_000, likeCount: 7),
    ]
    let context = RankingContext(timestamp: 1_600_000_000, userInterests: ["bread"], followedUsers: [bea.id])
    await run.step("two posts are ranked") {
      try await ada.feed.rankPosts(userId: ada.id, posts: posts, context: context)
    }.expect { ranks in
      Set(ranks.map(\.id)) == Set(posts.map(\.id)) && zip(ranks, ranks.dropFirst()).allSatisfy { $0.score >= $1.score }
    }
    await run.step("no posts are ranked") { try await ada.feed.rankPosts(userId: ada.id, posts: []) }
      .expect { $0.isEmpty }
  }
}
