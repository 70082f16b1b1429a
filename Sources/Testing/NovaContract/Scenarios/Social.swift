import NovaContent
import NovaCore
import NovaSocial

extension ContractScenario {
  static let likes = [like, share, socialBatches]
  static let comments = [thread, commentRights, commentRules]

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

  private static let share = ContractScenario("social.share", summary: "Each share of any kind counts.") { run in
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

  private static let thread = ContractScenario(
    "social.thread",
    summary: "A thread of comments is written, read in every order, changed and deleted with its replies."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: ada)
    func write(_ user: ContractUser, _ text: String, parent: Comment? = nil) async throws -> Comment {
      let parentID = parent?.id ?? ""
      let step = await run.step("comment: \(text)") {
        try await user.social.createComment(
          postId: post.id, userId: user.id, content: text, parentCommentId: parentID)
      }
      let expected = [user.id, post.id, text, parentID]
      return try step.expect { [$0.creatorId, $0.postId, $0.content, $0.parentCommentId] == expected }.value
    }
    let first = try await write(bea, "First 👩‍👩‍👧‍👦")
    let reply = try await write(ada, "Thanks!", parent: first)
    let nested = try await write(bea, "Welcome.", parent: reply)
    let second = try await write(bea, "Another.")
    let oldest = [first, reply, nested, second].map(\.id)
    await run.step("newest first") { try await ada.social.getComments(postId: post.id) }
      .expect { $0.comments.map(\.id) == oldest.reversed() && $0.totalCount == 4 && !$0.hasMore }
    await run.step("oldest first") { try await ada.social.getComments(postId: post.id, order: .ascending) }
      .expect { $0.comments.map(\.id) == oldest }
    await run.step("bea changes the first") {
      try await bea.social.updateComment(commentId: first.id, userId: bea.id, content: "First!")
    }.expect { $0.content == "First!" && $0.id == first.id && $0.createdAt == first.createdAt }
    await run.step("the last changed first") { try await ada.social.getComments(postId: post.id, sortBy: .updatedAt) }
      .expect { $0.comments.first?.id == first.id && $0.totalCount == 4 }
    await run.step("one comment") { try await ada.social.getComment(commentId: first.id) }
      .expect { $0?.content == "First!" }
    await run.step("bea deletes the first") { try await bea.social.deleteComment(commentId: first.id, userId: bea.id) }
    await run.step("its replies are gone") { try await ada.social.getComments(postId: post.id) }
      .expect { $0.comments.map(\.id) == [second.id] && $0.totalCount == 1 }
    await run.step("the count") { try await ada.social.getCommentCount(postId: post.id) }.expect(1)
    await run.step("a comment that is gone") { try await ada.social.getComment(commentId: nested.id) }.expect(nil)
  }

  private static let commentRights = ContractScenario(
    "social.comment-rights", summary: "The author changes a comment; the author and the post's author delete it."
  ) { run in
    let (ada, bea, cem) = (try await run.user("ada"), try await run.user("bea"), try await run.user("cem"))
    let post = try await run.post(of: ada)
    let comment = try await run.step("bea comments") {
      try await bea.social.createComment(postId: post.id, userId: bea.id, content: "Hello.")
    }.value
    for (name, user) in [("the post's author", ada), ("a stranger", cem)] {
      await run.step("\(name) cannot change it", fails: .permissionDenied) {
        try await user.social.updateComment(commentId: comment.id, userId: user.id, content: "No.")
      }
    }
    await run.step("a stranger cannot delete it", fails: .permissionDenied) {
      try await cem.social.deleteComment(commentId: comment.id, userId: cem.id)
    }
    await run.step("it is as it was") { try await ada.social.getComment(commentId: comment.id) }.expect(comment)
    await run.step("the post's author deletes it") {
      try await ada.social.deleteComment(commentId: comment.id, userId: ada.id)
    }
    await run.steps(
      fail: .notFound,
      [
        "deleting it again": { try await bea.social.deleteComment(commentId: comment.id, userId: bea.id) },
        "changing it": { try await bea.social.updateComment(commentId: comment.id, userId: bea.id, content: "Hello?") },
      ])
  }

  private static let commentRules = ContractScenario(
    "social.comment-rules", summary: "A comment has 1 to 2,000 characters, a post, and a parent on the same post."
  ) { run in
    let ada = try await run.user("ada")
    let (post, other) = (try await run.post(of: ada), try await run.post(of: ada))
    let social = ada.unchecked.social
    for count in [1, 2000] {
      await run.step("\(count) characters") {
        try await social.createComment(postId: post.id, userId: ada.id, content: String(repeating: "ż", count: count))
      }
    }
    for count in [0, 2001] {
      await run.step("\(count) characters", fails: .invalidArgument) {
        try await social.createComment(postId: post.id, userId: ada.id, content: String(repeating: "ż", count: count))
      }
    }
    await run.step("on no post", fails: .notFound) {
      try await social.createComment(postId: run.missingID, userId: ada.id, content: "Hello.")
    }
    await run.step("to no comment", fails: .notFound) {
      try await social.createComment(
        postId: post.id, userId: ada.id, content: "Hello.", parentCommentId: run.missingID)
    }
    let comment = try await run.step("on the other post") {
      try await social.createComment(postId: other.id, userId: ada.id, content: "Here.")
    }.value
    await run.step("to a comment elsewhere", fails: .notFound) {
      try await social.createComment(
        postId: post.id, userId: ada.id, content: "Hello.", parentCommentId: comment.id)
    }
    await run.step("changed to nothing", fails: .invalidArgument) {
      try await social.updateComment(commentId: comment.id, userId: ada.id, content: "")
    }
    await run.step("the same text again") {
      try await social.updateComment(commentId: comment.id, userId: ada.id, content: "Here.")
    }.expect(comment)
    await run.steps(
      fail: .invalidArgument,
      [
        "sorted by mood": { try await social.getComments(postId: post.id, sortBy: CommentSort(rawValue: "mood")) },
        "in a random order": { try await social.getComments(postId: post.id, order: SortOrder(rawValue: "random")) },
      ])
  }
}
