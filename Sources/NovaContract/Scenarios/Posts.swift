import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaSocial

extension ContractScenario {
  static let posts = [postLife, postRules, postBatch]

  private static let postLife = ContractScenario(
    "content.post", summary: "A post is written, read, changed and deleted, and what hangs on it goes with it."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.step("a draft with everything") {
      try await ada.content.createPost(
        creatorId: ada.id, content: "Zażółć \"gęślą\" jaźń 🧡\n\t\u{1}", title: "A title", privacy: .followers,
        status: .draft, mediaIds: ["m-1", "m-2"])
    }.expect { $0.creatorId == ada.id && $0.status == "draft" && $0.createdAt == $0.updatedAt && !$0.id.isEmpty }.value
    run.deleteLater(post, of: ada)
    await run.step("it is there") { try await bea.content.getPost(postId: post.id) }.expect(post)
    await run.step("it exists") { try await bea.content.checkPostExists(postId: post.id) }.expect(true)
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
    await run.step("no likes") { try await ada.social.getPostLikes(postId: post.id) }.expect { $0.totalCount == 0 }
    await run.step("no comments") { try await ada.social.getComments(postId: post.id) }.expect { $0.totalCount == 0 }
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
    await run.step("changed to nothing", fails: .invalidArgument) {
      try await content.updatePost(postId: post.id, content: "")
    }
    await run.step("changed to a lost one", fails: .invalidArgument) {
      try await content.updatePost(postId: post.id, status: PostStatus(rawValue: "lost"))
    }
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
}
