import ArgumentParser
import NovaCore
import NovaSDK

struct Followers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List who follows a user, newest follow first.",
    usage: "nova followers <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: ListOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let list = PagedList(one: "follower", many: "followers") {
        [graph = context.graph] limit, offset in
        let page = try await graph.getFollowers(userId: user.text, limit: limit, offset: offset)
        return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.graph.followers(of: user.text, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: IDWriter(context.output, format.output, "user_id"))
    }
  }
}

struct Following: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List whom a user follows, newest follow first.",
    usage: "nova following <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: ListOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let list = PagedList(one: "followed user", many: "followed users") {
        [graph = context.graph] limit, offset in
        let page = try await graph.getFollowing(userId: user.text, limit: limit, offset: offset)
        return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.graph.following(of: user.text, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: IDWriter(context.output, format.output, "user_id"))
    }
  }
}
