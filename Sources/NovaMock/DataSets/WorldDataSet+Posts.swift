import NovaContent
import NovaFixtures
import NovaSocial

/// What the users of ``MockDataSet/world(_:)`` write and do. Posts come in the order of their numbers, which is in their
/// ids; likes and bookmarks the oldest first, and of those at the same time the one that the world's lists name last.
extension WorldDataSet {
  private var posts: Range<Int> { 0..<world.postCount }

  func addPosts(to state: inout MockState) {
    for index in posts {
      let post = world.post(at: index)
      var stored = StoredPost(post.content, at: post.createdAt)
      stored.updatedAt = post.updatedAt
      stored.title = post.title
      stored.privacy = PostPrivacy(rawValue: post.privacy) ?? .private
      stored.status = PostStatus(rawValue: post.status) ?? .draft
      stored.mediaIDs = post.mediaIds
      state.content.add(stored, by: post.creatorId)
    }
  }

  func addReactions(to state: inout MockState) {
    addLikes(to: &state)
    for index in posts {
      addComments(onPostAt: index, to: &state)
      for user in world.sharers(ofPostAt: index) {
        state.social.shares.add(
          world.userID(at: user), Int32(index), ShareType(rawValue: world.shareType(user, index)) ?? .repost,
          at: world.shareTime(user, index))
      }
    }
    for user in users {
      for post in world.bookmarks(ofUserAt: user).reversed() {
        state.content.addBookmark(world.userID(at: user), Int32(post))
      }
    }
  }

  private struct LikeEdge {
    let user: Int
    let post: Int
    let like: Like
  }

  private func addLikes(to state: inout MockState) {
    let edges = posts.flatMap { post in
      zip(world.likers(ofPostAt: post), world.likes(ofPostAt: post)).map { LikeEdge(user: $0, post: post, like: $1) }
    }.sorted { left, right in
      (left.like.createdAt, right.user, right.post) < (right.like.createdAt, left.user, left.post)
    }
    for edge in edges {
      state.social.likes.add(edge.like.userId, Int32(edge.post), at: edge.like.createdAt, id: edge.like.id)
    }
  }

  private func addComments(onPostAt post: Int, to state: inout MockState) {
    var numbers: [String: Int32] = [:]
    for comment in world.comments(ofPostAt: post) {
      let parent = numbers[comment.parentCommentId]
      numbers[comment.id] = state.social.comments.add(
        StoredComment(
          post: Int32(post), author: comment.creatorId, parent: parent, content: comment.content,
          at: comment.createdAt),
        id: comment.id)
    }
  }
}
