import ArgumentParser
import NovaCore
import NovaSDK

struct LikePost: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "like", abstract: "Like a post as a user.")

  @Argument(help: ArgumentHelp("ID of the user who likes the post.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateLikeResponse {
    { try await $0.social.createLike(CreateLikeRequest(userId: user.text, postId: post.text)) }
  }

  func sentence(for response: CreateLikeResponse) -> String {
    "\(user.text) likes \(post.text), which has \(Self.likes(response.likeCount))"
  }
}

extension LikePost {
  /// `1 like`.
  static func likes(_ count: Int64) -> String { count == 1 ? "1 like" : "\(count) likes" }
}

struct UnlikePost: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "unlike", abstract: "Remove a like.")

  @Argument(help: ArgumentHelp("ID of the user who liked the post.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> DeleteLikeResponse {
    { try await $0.social.deleteLike(DeleteLikeRequest(userId: user.text, postId: post.text)) }
  }

  func sentence(for response: DeleteLikeResponse) -> String {
    "\(user.text) does not like \(post.text), which has \(LikePost.likes(response.likeCount))"
  }
}

struct Likes: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the users who like a post, newest like first.",
    usage: "nova likes <post-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "like", many: "likes") { [social = context.social] limit, offset in
      let page = try await social.getPostLikes(postId: post.text, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    } all: { maximum, onShift in
      context.social.likers(of: post.text, maximumCount: maximum, onShift: onShift)
    }
  }
}

struct Liked: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the posts that a user likes, newest like first.",
    usage: "nova liked <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "post_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "liked post", many: "liked posts") { [social = context.social] limit, offset in
      let page = try await social.getUserLikedPosts(userId: user.text, limit: limit, offset: offset)
      return Page(items: page.postIds, totalCount: page.total, hasMore: page.hasMore)
    } all: { maximum, onShift in
      context.social.likedPostIds(by: user.text, maximumCount: maximum, onShift: onShift)
    }
  }
}
