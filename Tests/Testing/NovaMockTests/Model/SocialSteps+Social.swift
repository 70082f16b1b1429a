import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaMock

/// Likes, comments and shares.
extension SocialSteps {
  mutating func like() async {
    let pair = pair()
    await expect(missing(pair.other)) { [session] in
      try await session.like(pair.user, pair.other)
    } then: {
      $0.likes.insert(pair)
    }
  }

  mutating func unlike() async {
    let pair = pair()
    await expect(missing(pair.other)) { [session] in
      try await session.social.deleteLike(DeleteLikeRequest(userId: pair.user, postId: pair.other))
    } then: {
      $0.likes.remove(pair)
    }
  }

  mutating func share() async {
    let pair = pair()
    await expect(missing(pair.other)) { [session] in
      try await session.share(pair.user, pair.other, type: "story")
    } then: {
      $0.shares.append(pair)
    }
  }

  mutating func comment() async {
    let pair = pair()
    let onPost = model.comments.filter { $0.postId == pair.other }
    var parent = ""
    if generator.next(below: 2) == 0 {
      parent = onPost.isEmpty ? commentID() : onPost[generator.next(below: onPost.count)].id
    }
    let comment = Comment(
      id: "comment-\(model.commentCount + 1)", postId: pair.other, creatorId: pair.user, content: "hi",
      parentCommentId: parent, createdAt: session.now, updatedAt: session.now)
    let hasParent = parent.isEmpty || onPost.contains { $0.id == parent }
    await expect(hasParent ? missing(pair.other) : .notFound) { [session] in
      let written = try await session.comment(pair.user, on: pair.other, "hi", parent: parent)
      #expect(written == comment)
    } then: {
      $0.comments.append(comment)
      $0.changes.append(comment.id)
      $0.commentCount += 1
    }
  }

  mutating func updateComment() async {
    let id = commentID()
    let author = model.comments.first { $0.id == id }?.creatorId
    let user = generator.next(below: 4) == 0 ? user() : author ?? user()
    let content = ["hi", "hello", "hey"][generator.next(below: 3)]
    let now = session.now
    await expect(author == nil ? .notFound : author == user ? nil : .permissionDenied) { [session] in
      try await session.social.updateComment(UpdateCommentRequest(commentId: id, userId: user, content: content))
    } then: { model in
      for index in model.comments.indices where model.comments[index].id == id {
        guard model.comments[index].content != content else { continue }
        model.comments[index].content = content
        model.comments[index].updatedAt = now
        model.changes.removeAll { $0 == id }
        model.changes.append(id)
      }
    }
  }

  mutating func deleteComment() async {
    let id = commentID()
    let user = user()
    let comment = model.comments.first { $0.id == id }
    let mayDelete = comment.map { $0.creatorId == user || model.post($0.postId)?.creatorId == user }
    await expect(mayDelete == nil ? .notFound : mayDelete == true ? nil : .permissionDenied) { [session] in
      try await session.social.deleteComment(DeleteCommentRequest(commentId: id, userId: user))
    } then: {
      $0.removeComment(id)
    }
  }
}
