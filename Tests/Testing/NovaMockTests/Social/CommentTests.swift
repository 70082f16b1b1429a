import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct CommentTests {
  @Test func everyCommentIsANewOne() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    let one = try await session.comment("a", on: post, "hi")
    let two = try await session.comment("a", on: post, "hi")
    #expect(one.id == "comment-1" && two.id == "comment-2")
    #expect(
      one
        == Comment(
          id: "comment-1", postId: post, creatorId: "a", content: "hi", createdAt: session.now,
          updatedAt: session.now))
    #expect(try await session.social.getCommentCount(GetCommentCountRequest(postId: post)).count == 2)
    #expect(try await session.social.getComment(GetCommentRequest(commentId: two.id)).comment == two)
  }

  @Test(arguments: [
    ("", false), ("x", true), (String(repeating: "x", count: 2000), true), (String(repeating: "x", count: 2001), false),
    (String(repeating: "👩‍👩‍👧‍👦", count: 2000), true), (String(repeating: "e\u{301}", count: 2001), false),
  ])
  func commentsHaveUpTo2000CharactersAsPeopleCountThem(text: String, isAllowed: Bool) async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    let expected: APIError.Code? = isAllowed ? nil : .invalidArgument
    #expect(await code { try await session.comment("a", on: post, text) } == expected)
    let comment = try await session.comment("a", on: post)
    let update = UpdateCommentRequest(commentId: comment.id, userId: "a", content: text)
    #expect(await code { try await session.social.updateComment(update) } == expected)
  }

  @Test func onlyTheAuthorMayChangeAComment() async throws {
    let session = try MockSession()
    let comment = try await session.comment("a", on: try await session.post("author"), "old")
    for user in ["b", "author"] {
      let update = UpdateCommentRequest(commentId: comment.id, userId: user, content: "new")
      #expect(await code { try await session.social.updateComment(update) } == .permissionDenied)
    }
    session.advance(60)
    let update = UpdateCommentRequest(commentId: comment.id, userId: "a", content: "new")
    let changed = try await session.social.updateComment(update).comment
    #expect(changed?.content == "new")
    #expect(changed?.createdAt == 1_000_000 && changed?.updatedAt == 1_000_060)
    session.advance(60)
    #expect(try await session.social.updateComment(update).comment == changed, "a repeat changes nothing")
  }

  @Test(arguments: [("a", true), ("author", true), ("b", false)])
  func theAuthorsOfCommentAndPostMayDelete(user: String, mayDelete: Bool) async throws {
    let session = try MockSession()
    let comment = try await session.comment("a", on: try await session.post("author"))
    let delete = DeleteCommentRequest(commentId: comment.id, userId: user)
    #expect(await code { try await session.social.deleteComment(delete) } == (mayDelete ? nil : .permissionDenied))
    let get = GetCommentRequest(commentId: comment.id)
    #expect(await code { try await session.social.getComment(get) } == (mayDelete ? .notFound : nil))
    if mayDelete { #expect(await code { try await session.social.deleteComment(delete) } == .notFound) }
  }

  @Test func deletingACommentDeletesItsReplies() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    let top = try await session.comment("a", on: post)
    let reply = try await session.comment("b", on: post, parent: top.id)
    let replyToReply = try await session.comment("c", on: post, parent: reply.id)
    let other = try await session.comment("d", on: post)
    #expect(replyToReply.parentCommentId == reply.id)
    _ = try await session.social.deleteComment(DeleteCommentRequest(commentId: reply.id, userId: "b"))
    #expect(try await session.comments(post).map(\.id) == [other.id, top.id])
    try await session.comment("b", on: post, parent: top.id)
    _ = try await session.social.deleteComment(DeleteCommentRequest(commentId: top.id, userId: "a"))
    #expect(try await session.comments(post).map(\.id) == [other.id])
    #expect(try await session.stats(post)?.commentCount == 1)
  }

  @Test func aReplyNeedsAParentOnTheSamePost() async throws {
    let session = try MockSession()
    let one = try await session.post("author")
    let other = try await session.post("author")
    let comment = try await session.comment("a", on: one)
    #expect(await code { try await session.comment("b", on: other, parent: comment.id) } == .notFound)
    #expect(await code { try await session.comment("b", on: one, parent: "comment-9") } == .notFound)
    #expect(await code { try await session.comment("b", on: one, parent: comment.id) } == nil)
  }

  @Test func commentsAreSortedAsAsked() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    for number in 1...4 {
      session.advance()
      try await session.comment("a", on: post, "\(number)")
    }
    session.advance()
    let update = UpdateCommentRequest(commentId: "comment-2", userId: "a", content: "2, changed")
    _ = try await session.social.updateComment(update)
    let expected = [
      ("", "", [4, 3, 2, 1]), ("created_at", "desc", [4, 3, 2, 1]), ("created_at", "asc", [1, 2, 3, 4]),
      ("updated_at", "", [2, 4, 3, 1]), ("updated_at", "asc", [1, 3, 4, 2]),
    ]
    for (sortBy, order, numbers) in expected {
      let ids = try await session.comments(post, sortBy: sortBy, order: order).map(\.id)
      #expect(ids == numbers.map { "comment-\($0)" }, "\(sortBy) \(order)")
    }
    let page = try await session.social.getComments(
      GetCommentsRequest(postId: post, limit: 2, offset: 1, order: "asc"))
    #expect(page.comments.map(\.id) == ["comment-2", "comment-3"])
    #expect(page.totalCount == 4 && page.hasMore)
  }

  @Test(arguments: [("likes", ""), ("", "up"), ("CREATED_AT", ""), ("", "DESC")])
  func otherSortingsAreRefused(sortBy: String, order: String) async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    #expect(await code { try await session.comments(post, sortBy: sortBy, order: order) } == .invalidArgument)
  }

  @Test(arguments: ["comment-2", "comment-01", "nothing"])
  func missingCommentsAreNotFound(id: String) async throws {
    let session = try MockSession()
    try await session.comment("a", on: try await session.post("author"))
    let social = session.social
    let update = UpdateCommentRequest(commentId: id, userId: "a", content: "x")
    #expect(await code { try await social.getComment(GetCommentRequest(commentId: id)) } == .notFound)
    #expect(await code { try await social.updateComment(update) } == .notFound)
    let delete = DeleteCommentRequest(commentId: id, userId: "a")
    #expect(await code { try await social.deleteComment(delete) } == .notFound)
  }
}
