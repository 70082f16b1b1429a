import NovaContent
import NovaCore

/// Posts in the admin API.
struct AdminPosts {
  let backend: MockBackend

  /// Lists posts, newest first: all, those of an author, or those whose id, title, or content contains a text.
  func list(_ query: String) throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["author", "search", "offset", "limit"])
    let page = try query.page
    let text = (query.text("search") ?? "").foldedForSearch
    let content = backend.withState { $0.content }
    let posts = content.newestFirst(by: query.text("author")) { number, post in
      text.isEmpty || content.id(number) == text
        || [post.title, post.content].contains { $0.foldedForSearch.contains(text) }
    }
    let shown = try page.of(posts).compactMap { content.post($0) }.map { try JSONValue($0) }
    return .json(["posts": .array(shown), "total": .number(posts.count)])
  }

  /// Changes a post as UpdatePost does, for any author.
  func update(_ id: String, _ body: AdminBody) async throws -> HTTPResponse {
    let response = try await backend.apply(ContentRPC.updatePost, body.adding("post_id", id))
    return .json(try JSONValue(response.post ?? Post()))
  }

  /// Deletes a post as its author does.
  func delete(_ id: String) async throws -> HTTPResponse {
    let author = try backend.withState { state in
      state.content.authorID(ofPost: try state.existingPost(id)) ?? ""
    }
    _ = try await backend.apply(
      ContentRPC.deletePost, ["post_id": .string(id), "deleted_by_id": .string(author)])
    return HTTPResponse(status: 204)
  }
}

extension ContentStore {
  /// Returns the numbers of posts, newest first. O(n) in all posts.
  ///
  /// - Parameter author: nil for all authors.
  fileprivate func newestFirst(
    by author: String?, where isIncluded: (Int32, StoredPost) -> Bool
  ) -> [Int32] {
    let numbers = author.map { postIDs(by: $0).newestFirst(offset: 0, limit: .max).map(\.value) }
    return (numbers ?? (0..<nextNumber).reversed()).filter { number in
      stored(number).map { isIncluded(number, $0) } ?? false
    }
  }
}
