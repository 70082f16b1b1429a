import ArgumentParser
import NovaCore
import NovaSDK

struct Comments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a post's comments.",
    usage: "nova comments <post-id> [--sort <time>] [--order <order>] [--limit <count>] [--all] [<options>]")

  enum Sort: String, ExpressibleByArgument, CaseIterable {
    case created, updated

    var field: CommentSort { self == .created ? .createdAt : .updatedAt }
  }

  enum Order: String, ExpressibleByArgument, CaseIterable {
    case newest, oldest

    var order: SortOrder { self == .newest ? .descending : .ascending }
  }

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @Option(help: "Which time decides the order.") var sort: Sort = .created
  @Option(help: "Which end comes first.") var order: Order = .newest
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      Comment.self, columns: ["id", "creator_id", "created_at", "content"])
    try await CommandContext.run(connection) { context in
      let list = PagedList<Comment>(one: "comment", many: "comments") { [social = context.social] limit, offset in
        let page = try await social.getComments(
          postId: post.text, limit: limit, offset: offset, sortBy: sort.field, order: order.order)
        return Page(items: page.comments, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.social.comments(
          on: post.text, sortBy: sort.field, order: order.order, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: RecordWriter(context.output, format.output, shape, key: "comments"))
    }
  }
}
