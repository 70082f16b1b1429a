import ArgumentParser
import NovaCore
import NovaSDK

struct Likes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List who likes a post, newest like first.",
    usage: "nova likes <post-id> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: ListOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let list = PagedList(one: "like", many: "likes") { [social = context.social] limit, offset in
        let page = try await social.getPostLikes(postId: post.text, limit: limit, offset: offset)
        return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.social.likers(of: post.text, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: IDWriter(context.output, format.output, "user_id"))
    }
  }
}

struct Liked: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the posts a user likes, newest like first.",
    usage: "nova liked <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: ListOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let list = PagedList(one: "liked post", many: "liked posts") { [social = context.social] limit, offset in
        let page = try await social.getUserLikedPosts(userId: user.text, limit: limit, offset: offset)
        return Page(items: page.postIds, totalCount: page.total, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.social.likedPostIds(by: user.text, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: IDWriter(context.output, format.output, "post_id"))
    }
  }
}
