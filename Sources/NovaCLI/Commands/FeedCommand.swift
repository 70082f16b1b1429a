import ArgumentParser
import NovaCore
import NovaSDK

struct Feed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a user's feed.",
    usage: "nova feed <user-id> [--algorithm <algorithm>] [--limit <count>] [--all] [<options>]")

  /// How many posts --all asks for at a time.
  private static let pageSize = 50

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @Option(help: "How it is put together: ch (by time), v2 or hybrid. Default: the server's.") var algorithm: String?
  @OptionGroup(title: "List") var paging: CursorOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      FeedPost.self, columns: ["id", "user_id", "created_at", "like_count", "content"])
    try await CommandContext.run(connection) { context in
      var writer = RecordWriter<FeedPost>(context.output, format.output, shape, key: "posts")
      if paging.all { try await writeAll(context, &writer) } else { try await writePage(context, &writer) }
    }
  }

  private var chosen: FeedAlgorithm? { algorithm.map { FeedAlgorithm(rawValue: $0) } }

  private func writePage(_ context: CommandContext, _ writer: inout RecordWriter<FeedPost>) async throws {
    let page = try await context.feed.getFeed(
      userId: user.text, limit: paging.limit.limit ?? 0, cursor: paging.cursor ?? "", algorithm: chosen)
    try writer.begin()
    try writer.write(page.posts)
    try finish(&writer, page.posts.count, next: page.hasMore ? page.nextCursor : "")
  }

  private func writeAll(_ context: CommandContext, _ writer: inout RecordWriter<FeedPost>) async throws {
    var (page, count): ([FeedPost], Int) = ([], 0)
    try writer.begin()
    // One more than is written shows whether there are more.
    let longest = paging.limit.limit ?? ListExtent.longest
    var isCut = false
    let feed = context.feed.feed(
      of: user.text, algorithm: chosen, pageSize: Self.pageSize, maximumCount: paging.limit.limit ?? longest + 1)
    for try await post in feed {
      isCut = count == longest
      if isCut { break }
      page.append(post)
      count += 1
      guard page.count == Self.pageSize else { continue }
      try writer.write(page)
      page.removeAll(keepingCapacity: true)
    }
    try writer.write(page)
    try finish(&writer, count, next: nil)
    if isCut { throw ListExtent.stopped(count, "posts") }
  }

  /// - Parameter next: where the next page begins; nil where that was not asked.
  private func finish(_ writer: inout RecordWriter<FeedPost>, _ count: Int, next: String?) throws {
    let hasMore = next?.isEmpty == false
    try writer.end(
      next.map {
        [.init(name: "next_cursor", value: .string($0)), .init(name: "has_more", value: .bool(hasMore))]
      } ?? [])
    guard writer.format == .table || (writer.format != .json && hasMore) else { return }
    Diagnostics.note("\(count) \(count == 1 ? "post" : "posts")\(hasMore ? "; --all shows every one" : "")")
  }
}
