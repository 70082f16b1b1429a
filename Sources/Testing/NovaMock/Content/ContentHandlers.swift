import NovaContent
import NovaCore
import NovaEvents

extension MockHandlers {
  mutating func addContent() {
    on(ContentRPC.getPost) { request, state in
      let post = state.visiblePost(request.postId).flatMap { state.content.post($0) }
      return .init(post: post, found: post != nil)
    }
    on(ContentRPC.checkPostExists) { .init(exists: $1.visiblePost($0.postId) != nil) }
    on(ContentRPC.getPostsByIds) { request, state in
      .init(posts: request.postIds.compactMap { state.visiblePost($0).flatMap { state.content.post($0) } })
    }
    on(ContentRPC.getPostsByAuthor) { request, state in
      let paging = try Paging(limit: request.limit, offset: request.offset, of: ContentRPC.getPostsByAuthor)
      let status: PostStatus? = request.status.isEmpty ? nil : try requireOne(request.status, "status")
      guard let circle = state.closestCircle(of: request.authorId, to: state.viewer) else { return .init() }
      let list = state.content.posts(by: request.authorId, status, shownTo: circle, in: paging)
      return .init(
        posts: list.page.compactMap { state.content.post($0) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(ContentRPC.getUserBookmarks, actingAs: \.userId) { request, state in
      let list = try Paging(limit: request.limit, offset: request.offset, of: ContentRPC.getUserBookmarks)
        .visiblePosts(state.content.bookmarks(of: request.userId), in: state)
      return .init(
        posts: list.page.compactMap { state.content.post($0) }, total: list.total, hasMore: list.hasMore)
    }
    on(ContentRPC.createPost, actingAs: \.creatorId) { request, state in
      var post = StoredPost(request.content, at: state.now)
      post.privacy = try requireOne(request.privacy, "privacy", default: .public)
      post.status = try requireOne(request.status, "status", default: .published)
      post.title = request.title
      post.mediaIDs = request.mediaIds
      let number = state.content.add(post, by: request.creatorId)
      state.emitNewPost(number)
      return .init(post: state.content.post(number))
    }
    on(ContentRPC.updatePost) { request, state in
      let number = try state.existingPost(request.postId)
      try state.requireCaller(state.content.authorID(ofPost: number) ?? "")
      if let old = state.content.stored(number), case let new = try old.changed(by: request, at: state.now), new != old
      {
        state.content.update(number, to: new)
        state.emitChangedPost(number, from: old)
      }
      return .init(post: state.content.post(number))
    }
    on(ContentRPC.deletePost, actingAs: \.deletedById) { request, state in
      let number = try state.existingPost(request.postId)
      guard state.content.authorID(ofPost: number).hasSameBytes(as: request.deletedById) else {
        throw MockFailure.forbidden("only the author may delete \(request.postId)")
      }
      let audience = state.audience(ofPost: number)
      state.social.forget(post: number)
      state.content.delete(number)
      state.emitDeletedPost(number, of: request.deletedById, audience: audience)
      return .init(postId: request.postId, deletedAt: state.now)
    }
    on(ContentRPC.createBookmark, actingAs: \.userId) { request, state in
      let post = try state.existingPost(request.postId)
      if state.content.addBookmark(request.userId, post) {
        state.emitBookmark(.bookmarkCreated, post, by: request.userId)
      }
      return .init(success: true)
    }
    on(ContentRPC.deleteBookmark, actingAs: \.userId) { request, state in
      let post = try state.existingPost(request.postId)
      if state.content.removeBookmark(request.userId, post) {
        state.emitBookmark(.bookmarkDeleted, post, by: request.userId)
      }
      return .init(success: true)
    }
  }
}

extension StoredPost {
  /// Returns the post with the fields that the request sets. A repeated request changes nothing, not even the time.
  fileprivate func changed(by request: UpdatePostRequest, at time: Int64) throws(MockFailure) -> StoredPost {
    var post = self
    if let title = request.title { post.title = title }
    if let content = request.content { post.content = content }
    if let privacy = request.privacy { post.privacy = try requireOne(privacy, "privacy") }
    if let status = request.status { post.status = try requireOne(status, "status") }
    if post != self { post.updatedAt = time }
    return post
  }
}
