import ArgumentParser
import NovaCore
import NovaSDK

struct Posts: AsyncParsableCommand {
  static let columns = ["id", "created_at", "status", "privacy", "content"]

  static let configuration = CommandConfiguration(
    abstract: "List a user's posts, newest first.",
    usage: "nova posts <user-id> [--status <status>] [--limit <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The author's id.", valueName: "user-id")) var user: UserID
  @Option(help: "Only posts of this status: published, draft or archived.") var status: String?
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Post.self, columns: Self.columns)
    let status = status.map { PostStatus(rawValue: $0) }
    try await CommandContext.run(connection) { context in
      let list = PagedList<Post>(one: "post", many: "posts") { [content = context.content] limit, offset in
        let page = try await content.getPostsByAuthor(
          authorId: user.text, status: status, limit: limit, offset: offset)
        return Page(items: page.posts, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.content.posts(by: user.text, status: status, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: RecordWriter(context.output, format.output, shape, key: "posts"))
    }
  }
}

struct Bookmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a user's bookmarked posts, newest bookmark first.",
    usage: "nova bookmarks <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Post.self, columns: ["id", "creator_id", "created_at", "content"])
    try await CommandContext.run(connection) { context in
      let list = PagedList<Post>(one: "bookmark", many: "bookmarks") { [content = context.content] limit, offset in
        let page = try await content.getUserBookmarks(userId: user.text, limit: limit, offset: offset)
        return Page(items: page.posts, totalCount: page.total, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.content.bookmarks(of: user.text, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: RecordWriter(context.output, format.output, shape, key: "posts"))
    }
  }
}
