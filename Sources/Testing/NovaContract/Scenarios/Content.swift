import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaSocial

extension ContractScenario {
  static let posts = [postLife, postRules, postBatch]
  static let bookmarks = [bookmark]
  static let lists = [longLists, likePages]

  private static let postLife = ContractScenario(
    "content.post", summary: "A post is written, read, changed and deleted with its likes, comments and bookmarks."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.step("a draft with everything") {
      try await ada.content.createPost(
        creatorId: ada.id, content: "Zażółć \"gęślą\" jaźń 🧡\n\t\u{1}", title: "A title", privacy: .followers,
        status: .draft, mediaIds: ["m-1", "m-2"])
    }.expect { $0.creatorId == ada.id && $0.status == "draft" && $0.createdAt == $0.updatedAt && !$0.id.isEmpty }.value
    run.deleteLater(post, of: ada)
    await run.step("it is there") { try await ada.content.getPost(postId: post.id) }.expect(post)
    await run.step("it exists") { try await ada.content.checkPostExists(postId: post.id) }.expect(true)
    await run.step("published") {
      try await ada.content.updatePost(postId: post.id, privacy: .everyone, status: .published)
    }.expect { $0.status == "published" && $0.privacy == "public" && $0.content == post.content }
    let changed = try await run.step("without a title") { try await ada.content.updatePost(postId: post.id, title: "") }
      .expect { $0.title.isEmpty && $0.createdAt == post.createdAt }.value
    await run.step("the same again changes nothing") { try await ada.content.updatePost(postId: post.id, title: "") }
      .expect(changed)
    await run.step("not by another", fails: .permissionDenied) {
      try await bea.content.updatePost(postId: post.id, content: "Mine.")
    }
    await run.step("bea likes it") { try await bea.social.createLike(postId: post.id, userId: bea.id) }
    let comment = try await run.step("bea comments") {
      try await bea.social.createComment(postId: post.id, userId: bea.id, content: "Nice.")
    }.value
    await run.step("bea shares it") { try await bea.social.createShare(postId: post.id, userId: bea.id) }
    await run.step("bea bookmarks it") { try await bea.content.createBookmark(postId: post.id, userId: bea.id) }
    await run.step("not deleted by another", fails: .permissionDenied) {
      try await bea.content.deletePost(postId: post.id, deletedById: bea.id)
    }
    await run.step("deleted") { try await ada.content.deletePost(.init(postId: post.id, deletedById: ada.id)) }
      .expect { $0.postId == post.id && $0.deletedAt > 0 }
    await run.step("it is not there") { try await ada.content.getPost(postId: post.id) }.expect(nil)
    await run.step("found is false") { try await ada.content.getPost(.init(postId: post.id)) }
      .expect { !$0.found && $0.post == nil }
    await run.step("it does not exist") { try await ada.content.checkPostExists(postId: post.id) }.expect(false)
    await run.step("no stats") { try await ada.social.batchGetPostStats(postIds: [post.id]) }
      .expect { $0.values.allSatisfy { $0.likeCount == 0 && $0.commentCount == 0 && $0.shareCount == 0 } }
    await run.step("no likes", fails: .notFound) { try await ada.social.getPostLikes(postId: post.id) }
    await run.step("no comments", fails: .notFound) { try await ada.social.getComments(postId: post.id) }
    await run.step("no comment") { try await ada.social.getComment(commentId: comment.id) }.expect(nil)
    await run.step("bea likes nothing") { try await bea.social.getUserLikedPosts(userId: bea.id) }
      .expect { $0.total == 0 }
    await run.step("bea has no bookmarks") { try await bea.content.getUserBookmarks(userId: bea.id) }
      .expect { $0.total == 0 }
    await run.step("ada has no posts") { try await bea.content.getPostsByAuthor(authorId: ada.id) }
      .expect { $0.totalCount == 0 }
    await run.step("deleting it again", fails: .notFound) {
      try await ada.content.deletePost(postId: post.id, deletedById: ada.id)
    }
    await run.step("changing it", fails: .notFound) { try await ada.content.updatePost(postId: post.id, title: "?") }
  }

  private static let postRules = ContractScenario(
    "content.rules", summary: "A post has 1 to 10,000 characters and one of the known kinds."
  ) { run in
    let ada = try await run.user("ada")
    let content = ada.unchecked.content
    for count in [1, 10_000] {
      let post = try await run.step("\(count) characters") {
        try await content.createPost(creatorId: ada.id, content: String(repeating: "é", count: count))
      }.expect { $0.content.count == count && $0.privacy == "public" && $0.status == "published" }.value
      run.deleteLater(post, of: ada)
    }
    for count in [0, 10_001] {
      await run.step("\(count) characters", fails: .invalidArgument) {
        try await content.createPost(creatorId: ada.id, content: String(repeating: "e", count: count))
      }
    }
    await run.step("a secret post", fails: .invalidArgument) {
      try await content.createPost(creatorId: ada.id, content: "Psst.", privacy: PostPrivacy(rawValue: "secret"))
    }
    await run.step("a lost post", fails: .invalidArgument) {
      try await content.createPost(creatorId: ada.id, content: "Hm.", status: PostStatus(rawValue: "lost"))
    }
    let post = try await run.post(of: ada)
    await run.steps(
      fail: .invalidArgument,
      [
        "changed to nothing": { try await content.updatePost(postId: post.id, content: "") },
        "changed to a lost one": {
          try await content.updatePost(postId: post.id, status: PostStatus(rawValue: "lost"))
        },
      ])
    await run.step("posts that are lost", fails: .invalidArgument) {
      try await content.getPostsByAuthor(authorId: ada.id, status: PostStatus(rawValue: "lost"))
    }
    await run.step("it is as it was") { try await content.getPost(postId: post.id) }.expect(post)
  }

  private static let postBatch = ContractScenario(
    "content.batch", summary: "Posts of any number of ids in their order, without those that are missing."
  ) { run in
    let ada = try await run.user("ada")
    let (one, two) = (try await run.post(of: ada, "One."), try await run.post(of: ada, "Two."))
    await run.step("152 ids") { try await ada.content.getPostsByIds(postIds: [two.id] + run.missing(150) + [one.id]) }
      .expect([two, one])
  }

  private static let bookmark = ContractScenario(
    "content.bookmark", summary: "A bookmark is stored once, and can be deleted."
  ) { run in
    let ada = try await run.user("ada")
    let (one, two) = (try await run.post(of: ada, "One."), try await run.post(of: ada, "Two."))
    for (name, post) in [("one", one), ("two", two), ("one again", one)] {
      await run.step("ada bookmarks \(name)") { try await ada.content.createBookmark(postId: post.id, userId: ada.id) }
    }
    await run.step("her bookmarks") { try await ada.content.getUserBookmarks(userId: ada.id) }
      .expect { $0.posts == [two, one] && $0.total == 2 && !$0.hasMore }
    await run.twice("two is deleted") { try await ada.content.deleteBookmark(postId: two.id, userId: ada.id) }
    await run.step("what is left") { try await ada.content.getUserBookmarks(userId: ada.id) }
      .expect { $0.posts == [one] && $0.total == 1 }
    await run.steps(
      fail: .notFound,
      [
        "no post": { try await ada.content.createBookmark(postId: run.missingID, userId: ada.id) },
        "nor its bookmark": { try await ada.content.deleteBookmark(postId: run.missingID, userId: ada.id) },
      ])
  }

  /// 103 items are a page of the maximum size and three more.
  private static let longLists = ContractScenario(
    "lists.long", summary: "Lists of 103 items respect their default and maximum limits, and page to the end in order."
  ) { run in
    let ada = try await run.user("ada")
    let newestFirst = try await run.longLists(of: ada, 103)
    let post = newestFirst[102]
    for (limit, count) in [(0, 50), (100, 100), (101, 100), (5000, 100), (7, 7)] {
      await run.step("posts, limit \(limit)") { try await ada.content.getPostsByAuthor(authorId: ada.id, limit: limit) }
        .expect { $0.posts.map(\.id) == Array(newestFirst.prefix(count)) && $0.totalCount == 103 && $0.hasMore }
      await run.step("bookmarks, limit \(limit)") {
        try await ada.content.getUserBookmarks(userId: ada.id, limit: limit)
      }.expect { $0.posts.map(\.id) == Array(newestFirst.prefix(count)) && $0.total == 103 && $0.hasMore }
      await run.step("liked posts, limit \(limit)") {
        try await ada.social.getUserLikedPosts(userId: ada.id, limit: limit)
      }.expect { $0.postIds == Array(newestFirst.prefix(count)) && $0.total == 103 && $0.hasMore }
      await run.step("comments, limit \(limit)") { try await ada.social.getComments(postId: post, limit: limit) }
        .expect { $0.comments.count == count && $0.totalCount == 103 && $0.hasMore }
    }
    await run.step("the last posts") {
      try await ada.content.getPostsByAuthor(authorId: ada.id, limit: 10, offset: 100)
    }.expect { $0.posts.map(\.id) == Array(newestFirst.suffix(3)) && !$0.hasMore }
    await run.step("posts past the end") { try await ada.content.getPostsByAuthor(authorId: ada.id, offset: 103) }
      .expect { $0.posts.isEmpty && $0.totalCount == 103 && !$0.hasMore }
    for pageSize in [33, 100] {
      await run.step("all posts, \(pageSize) at a time") {
        try await ada.content.posts(by: ada.id, pageSize: pageSize).all().map(\.id)
      }.expect(newestFirst)
      await run.step("published posts, \(pageSize) at a time") {
        try await ada.content.posts(by: ada.id, status: .published, pageSize: pageSize).all().map(\.id)
      }.expect(newestFirst)
      await run.step("all bookmarks, \(pageSize) at a time") {
        try await ada.content.bookmarks(of: ada.id, pageSize: pageSize).all().map(\.id)
      }.expect(newestFirst)
      await run.step("all liked posts, \(pageSize) at a time") {
        try await ada.social.likedPostIds(by: ada.id, pageSize: pageSize).all()
      }.expect(newestFirst)
      await run.step("all comments, \(pageSize) at a time, oldest first") {
        try await ada.social.comments(on: post, order: .ascending, pageSize: pageSize).all().map(\.content)
      }.expect((1...103).map { "Comment \($0)" })
      await run.step("the feed, \(pageSize) at a time") {
        try await ada.feed.feed(of: ada.id, algorithm: .chronological, pageSize: pageSize).all().map(\.id)
      }.expect(newestFirst)
    }
  }

  private static let likePages = ContractScenario(
    "lists.likes", summary: "Who likes a post, newest first, page by page to the end."
  ) { run in
    var users: [ContractUser] = []
    for name in ["ada", "bea", "cem", "dan", "eva"] { users.append(try await run.user(name)) }
    let post = try await run.post(of: users[0])
    for user in users {
      await run.step("one more") { try await user.social.createLike(postId: post.id, userId: user.id) }
    }
    let newestFirst = users.map(\.id).reversed() as [String]
    for offset in [0, 2, 4, 5] {
      await run.step("two from \(offset)") {
        try await users[0].social.getPostLikes(postId: post.id, limit: 2, offset: offset)
      }.expect {
        $0.userIds == Array(newestFirst.dropFirst(offset).prefix(2)) && $0.totalCount == 5 && $0.hasMore == (offset < 3)
      }
    }
    await run.step("all, two at a time") { try await users[0].social.likers(of: post.id, pageSize: 2).all() }
      .expect(newestFirst)
  }
}

extension ScenarioRun {
  /// Creates posts, each liked and bookmarked, and as many comments on the oldest one.
  ///
  /// One step records only the count, because the scenario is about the lists.
  ///
  /// - Returns: the ids of the posts, newest first.
  fileprivate func longLists(of user: ContractUser, _ count: Int) async throws -> [String] {
    let oldest = try await markedPost(1, of: user)
    async let comments: Void = write(count, on: oldest, as: user)
    var ids = [oldest]
    for number in 2...count { ids.insert(try await markedPost(number, of: user), at: 0) }
    try await comments
    let newestFirst = ids
    await step("all are there") { try await user.content.getPostsByAuthor(authorId: user.id, limit: 1).totalCount }
      .expect(newestFirst.count)
    return newestFirst
  }

  private func markedPost(_ number: Int, of user: ContractUser) async throws -> String {
    let post = try await user.content.createPost(creatorId: user.id, content: "Post \(number)")
    deleteLater(post, of: user)
    async let like = user.social.createLike(postId: post.id, userId: user.id)
    try await user.content.createBookmark(postId: post.id, userId: user.id)
    _ = try await like
    return post.id
  }

  private func write(_ count: Int, on post: String, as user: ContractUser) async throws {
    for number in 1...count {
      try await user.social.createComment(postId: post, userId: user.id, content: "Comment \(number)")
    }
  }
}
