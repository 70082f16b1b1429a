import NovaContent
import NovaCore

extension CheckRun {
  mutating func checkContent(_ me: String) async throws {
    try await createPost()
    try await findPosts(me)
    try await checkBookmarks(me)
    guard let post = facts.post else {
      let needsPost = [ContentRPC.getPostsByIds.descriptor, ContentRPC.checkPostExists.descriptor]
      try await valid(ContentRPC.getPost, GetPostRequest(postId: Facts.unknownID), "an unknown post", nothing: true)
      return skip(needsPost, "no post was found")
    }
    try await valid(ContentRPC.getPost, GetPostRequest(postId: post), "a post")
    try await valid(ContentRPC.getPost, GetPostRequest(postId: Facts.unknownID), "an unknown post", nothing: true)
    let ids = Array(facts.posts.prefix(5)) + [Facts.unknownID]
    try await valid(ContentRPC.getPostsByIds, GetPostsByIdsRequest(postIds: ids), "\(ids.count) posts")
    try await valid(ContentRPC.checkPostExists, CheckPostExistsRequest(postId: post), "a post")
    try await valid(ContentRPC.checkPostExists, CheckPostExistsRequest(postId: Facts.unknownID), "an unknown post")
  }

  private mutating func createPost() async throws {
    guard !isReadOnly, let account = facts.account else { return }
    let answer = try await valid(
      ContentRPC.createPost,
      CreatePostRequest(
        creatorId: account.id, content: "A check of the contract.", title: "nova-contract", privacy: "public"), "a post"
    )
    guard let post = answer?.post, !post.id.isEmpty else {
      let rpcs = [ContentRPC.updatePost.descriptor, ContentRPC.deletePost.descriptor]
      return skip(rpcs, "no post could be created")
    }
    facts.ownPost = post.id
    facts.learn(posts: [post.id])
    await created(
      "post \(post.id)", deletion: ContentRPC.deletePost, DeletePostRequest(postId: post.id, deletedById: account.id))
    try await valid(
      ContentRPC.updatePost, UpdatePostRequest(postId: post.id, title: "nova-contract, changed"), "another title")
    try await createSecondPost(account.id)
    try await refused(
      ContentRPC.updatePost, UpdatePostRequest(postId: Facts.unknownID, title: "nova-contract"), "an unknown post",
      .notFound)
  }

  /// Another post, so that lists of the account's own have a second page.
  private mutating func createSecondPost(_ author: String) async throws {
    let answer = try await valid(
      ContentRPC.createPost, CreatePostRequest(creatorId: author, content: "Another check of the contract."),
      "a post without a title")
    guard let id = answer?.post?.id, !id.isEmpty else { return }
    await created("post \(id)", deletion: ContentRPC.deletePost, DeletePostRequest(postId: id, deletedById: author))
  }

  private mutating func findPosts(_ me: String) async throws {
    for user in [me] + facts.users.prefix(6).filter({ $0 != me }) {
      let page = try await valid(
        ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: user, limit: 5),
        user == me ? "a user" : "another user")
      facts.learn(posts: page?.posts.map(\.id) ?? [])
      if facts.posts.count > 3 { break }
    }
    try await valid(
      ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: me, status: "published"), "status published")
  }

  private mutating func checkBookmarks(_ me: String) async throws {
    if !isReadOnly, let account = facts.account, let post = facts.ownPost {
      try await valid(
        ContentRPC.createBookmark, CreateBookmarkRequest(userId: account.id, postId: post), "the new post")
      try await valid(ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: me), "a user with a bookmark")
      try await valid(
        ContentRPC.deleteBookmark, DeleteBookmarkRequest(userId: account.id, postId: post), "the new post",
        invalidFirst: true)
    } else {
      skip([ContentRPC.createBookmark.descriptor, ContentRPC.deleteBookmark.descriptor], "there is no post of its own")
    }
    try await valid(ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: me), "a user")
  }

  /// Deletes the post that the check created.
  mutating func deletePost(_ me: String) async throws {
    guard !isReadOnly, let account = facts.account, let post = facts.ownPost else { return }
    let answer = try await valid(
      ContentRPC.deletePost, DeletePostRequest(postId: post, deletedById: account.id), "the new post",
      invalidFirst: true)
    guard answer != nil else { return }
    deleted("post \(post)")
    try await valid(ContentRPC.getPost, GetPostRequest(postId: post), "a deleted post", nothing: true)
  }
}
