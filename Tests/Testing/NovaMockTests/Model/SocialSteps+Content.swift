import NovaContent
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMock

/// Posts and bookmarks.
extension SocialSteps {
  mutating func createPost() async throws {
    let post = Post(
      id: "post-\(model.postCount + 1)", creatorId: user(), content: "text \(model.postCount)", createdAt: session.now,
      updatedAt: session.now, privacy: ["public", "public", "followers", "private"][generator.next(below: 4)],
      status: ["published", "published", "published", "draft", "archived"][generator.next(below: 5)])
    let id = try await session.post(post.creatorId, post.content, privacy: post.privacy, status: post.status)
    #expect(id == post.id)
    model.posts.append(post)
    model.postCount += 1
  }

  mutating func updatePost() async {
    let id = postID()
    let status = ["published", "draft", "archived"][generator.next(below: 3)]
    let now = session.now
    await expect(missing(id)) { [session] in
      try await session.content.updatePost(UpdatePostRequest(postId: id, status: status))
    } then: { model in
      for index in model.posts.indices where model.posts[index].id == id && model.posts[index].status != status {
        model.posts[index].status = status
        model.posts[index].updatedAt = now
      }
    }
  }

  mutating func deletePost() async {
    let pair = pair()
    let isOthers = model.post(pair.other).map { $0.creatorId != pair.user } ?? false
    await expect(isOthers ? .permissionDenied : missing(pair.other)) { [session] in
      try await session.content.deletePost(DeletePostRequest(postId: pair.other, deletedById: pair.user))
    } then: {
      $0.removePost(pair.other)
    }
  }

  mutating func bookmark() async {
    let pair = pair()
    if generator.next(below: 3) > 0 {
      await expect(missing(pair.other)) { [session] in
        try await session.bookmark(pair.user, pair.other)
      } then: {
        $0.bookmarks.insert(pair)
      }
    } else {
      await expect(missing(pair.other)) { [session] in
        try await session.content.deleteBookmark(DeleteBookmarkRequest(userId: pair.user, postId: pair.other))
      } then: {
        $0.bookmarks.remove(pair)
      }
    }
  }
}
