import ArgumentParser
import NovaCore
import NovaSDK

struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find users by name, best match first.",
    usage: "nova search <query> [--limit <count>] [--offset <count>] [--all] [<options>]")

  @Argument(help: "A name, or part of one.") var query: String
  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      UserProfile.self, columns: ["id", "username", "display_name", "follower_count", "is_verified"])
    try await CommandContext.run(connection) { context in
      let list = PagedList<UserProfile>(one: "user", many: "users") { [users = context.users] limit, offset in
        let page = try await users.searchUsers(query: query, limit: limit, offset: offset)
        return Page(items: page.profiles, totalCount: page.totalCount, hasMore: page.hasMore)
      } everyone: { maximum, onShift in
        context.users.users(matching: query, maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: RecordWriter(context.output, format.output, shape, key: "profiles"))
    }
  }
}
