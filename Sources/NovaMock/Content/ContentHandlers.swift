import NovaContent
import NovaCore

extension MockHandlers {
  mutating func addContent() {
    on(ContentRPC.getPost) { request, state throws(MockFailure) in
      try require(request.postId, "post_id")
      let post = state.content.post(request.postId)
      return GetPostResponse(post: post, found: post != nil)
    }
    on(ContentRPC.getPostsByAuthor) { request, state throws(MockFailure) in
      try require(request.authorId, "author_id")
      let paging = try Paging(limit: request.limit, offset: request.offset, ContentRPC.getPostsByAuthor.descriptor)
      let all = state.content.postIDs(by: request.authorId).compactMap { state.content.post($0) }
        .filter { request.status.isEmpty || $0.status == request.status }
      let (page, hasMore) = paging.newestFirst(all)
      return GetPostsByAuthorResponse(posts: page, totalCount: all.count, hasMore: hasMore)
    }
    on(ContentRPC.checkPostExists) { request, state throws(MockFailure) in
      try require(request.postId, "post_id")
      return CheckPostExistsResponse(exists: state.content.post(request.postId) != nil)
    }
  }
}
