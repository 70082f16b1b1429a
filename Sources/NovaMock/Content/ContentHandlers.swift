import NovaContent
import NovaCore
import NovaEvents

extension MockHandlers {
  mutating func addContent() {
    on(ContentRPC.getPost) { request, state in
      let post = state.content.post(request.postId)
      return .init(post: post, found: post != nil)
    }
    on(ContentRPC.checkPostExists) { .init(exists: $1.content.number($0.postId) != nil) }
    on(ContentRPC.getPostsByIds) { request, state in
      .init(posts: request.postIds.compactMap { state.content.post($0) })
    }
    on(ContentRPC.getPostsByAuthor) { request, state in
      let paging = try Paging(limit: request.limit, offset: request.offset, of: ContentRPC.getPostsByAuthor)
      guard !request.status.isEmpty else {
        let list = paging.newestFirst(state.content.postIDs(by: request.authorId))
        return .init(
          posts: list.page.compactMap { state.content.post($0.value) }, totalCount: list.total, hasMore: list.hasMore)
      }
      let status: PostStatus = try requireOne(request.status, "status")
      let page = state.content.posts(by: request.authorId, status, offset: paging.offset, limit: paging.limit)
      let total = state.content.postCount(by: request.authorId, status)
      return .init(
        posts: page.compactMap { state.content.post($0) }, totalCount: total,
        hasMore: paging.offset < total - page.count && !page.isEmpty)
    }
    on(ContentRPC.getUserBookmarks) { request, state in
      let list = try Paging(limit: request.limit, offset: request.offset, of: ContentRPC.getUserBookmarks)
        .newestFirst(state.content.bookmarks(of: request.userId))
      return .init(
        posts: list.page.compactMap { state.content.post($0.value) }, total: list.total, hasMore: list.hasMore)
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
      let number = try state.content.existing(request.postId)
      try state.requireCaller(state.content.authorID(ofPost: number) ?? "")
      if let old = state.content.stored(number), case let new = try old.changed(by: request, at: state.now), new != old
      {
        state.content.update(number, to: new)
        state.emitChangedPost(number, from: old)
      }
      return .init(post: state.content.post(number))
    }
    on(ContentRPC.deletePost, actingAs: \.deletedById) { request, state in
      let number = try state.content.existing(request.postId)
      guard state.content.authorID(ofPost: number) == request.deletedById else {
        throw MockFailure(.permissionDenied, "only the author may delete \(request.postId)")
      }
      let audience = state.audience(ofPost: number)
      state.social.forget(post: number)
      state.content.delete(number)
      state.emitDeletedPost(request.postId, of: request.deletedById, audience: audience)
      return .init(postId: request.postId, deletedAt: state.now)
    }
    on(ContentRPC.createBookmark, actingAs: \.userId) { request, state in
      let post = try state.content.existing(request.postId)
      if state.content.addBookmark(request.userId, post) {
        state.emitBookmark(.bookmarkCreated, post, by: request.userId)
      }
      return .init(success: true)
    }
    on(ContentRPC.deleteBookmark, actingAs: \.userId) { request, state in
      let post = try state.content.existing(request.postId)
      if state.content.removeBookmark(request.userId, post) {
        state.emitBookmark(.bookmarkDeleted, post, by: request.userId)
      }
      return .init(success: true)
    }
  }
}

extension ContentStore {
  /// Returns the number of an existing post.
  func existing(_ id: String) throws(MockFailure) -> Int32 {
    guard let number = number(id) else { throw MockFailure(.notFound, "not found: post \(id.quoted)") }
    return number
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
