import ArgumentParser
import NovaSDK

struct Feed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Show a user's feed.",
    usage: "nova feed [<user-id>] [--algorithm <algorithm>] [--limit <count>] [--all] [<options>]")

  /// The number of posts that --all requests at a time.
  private static let pageSize = 50

  @OptionGroup var user: UserArgument
  @Option(help: "The algorithm: ch (by time), v2, or hybrid. Default: the server's.") var algorithm: String?
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var extent: ExtentOptions
  @Option(help: .value("cursor", "Where to start: next_cursor of the previous page."))
  var cursor: String?
  @OptionGroup(title: "List") var names: NameOptions
  @OptionGroup var options: RecordListOptions

  func validate() throws {
    if extent.all, cursor != nil { throw ValidationError("--all and --cursor cannot be combined") }
  }

  func run() async throws {
    let shape = try options.shape(
      FeedPost.self, columns: ["id", "user_id", "created_at", "like_count", "content"])
    try await CommandContext.run(options) { context in
      var writer = RecordWriter<FeedPost>(
        context.output, in: shape, key: "posts", supplement: context.userNames(for: "user_id", names)
      ) { try $0.jsonValue() }
      let user = try await context.id(of: user.actor)
      if extent.all {
        try await writeAll(of: user, context, &writer)
      } else {
        try await writePage(of: user, context, &writer)
      }
    }
  }

  private var chosen: FeedAlgorithm? { algorithm.map { FeedAlgorithm(rawValue: $0) } }

  private func writePage(
    of user: String, _ context: CommandContext, _ writer: inout RecordWriter<FeedPost>
  ) async throws {
    var (count, next, isComplete, failure) = (0, cursor ?? "", false, APIError?.none)
    // A server returns no more than its maximum at once.
    while !isComplete {
      let page: GetFeedResponse
      do {
        page = try await context.feed.getFeed(
          userId: user, limit: limit.limit.map { $0 - count } ?? 0, cursor: next, algorithm: chosen)
      } catch let error as APIError where count > 0 {
        failure = error
        break
      }
      if count == 0 {
        if page.posts.isEmpty, cursor == nil { try await self.user.requireExistence(of: user, context) }
        try writer.begin()
      }
      try await writer.write(page.posts)
      count += page.posts.count
      next = page.hasMore ? page.nextCursor : ""
      isComplete = next.isEmpty || page.posts.isEmpty || count >= limit.limit ?? 0
    }
    try finish(&writer, count: count, next: next)
    if let failure { throw failure }
  }

  private func writeAll(
    of user: String, _ context: CommandContext, _ writer: inout RecordWriter<FeedPost>
  ) async throws {
    var (page, count, isCut) = ([FeedPost](), 0, false)
    let longest = limit.limit ?? ListExtent.longest
    // One more than written, to find out whether there are more.
    let feed = context.feed.feed(
      of: user, algorithm: chosen, pageSize: Self.pageSize, maximumCount: limit.limit ?? longest + 1)
    var failure: APIError?
    var posts = feed.makeAsyncIterator()
    while true {
      do {
        guard let post = try await posts.next() else { break }
        isCut = count == longest
        if isCut { break }
        page.append(post)
      } catch let error as APIError where count > 0 {
        // The posts that have arrived are shown, and the output is well-formed.
        failure = error
        break
      }
      if count == 0 { try writer.begin() }
      count += 1
      guard page.count == Self.pageSize else { continue }
      try await writer.write(page)
      page.removeAll(keepingCapacity: true)
    }
    if count == 0 {
      try await self.user.requireExistence(of: user, context)
      try writer.begin()
    }
    do { try await writer.write(page) } catch let error as APIError where failure != nil {
      // The names beside the posts cannot be read either.
      throw failure ?? error
    }
    if let failure {
      try writer.end([.init(name: "has_more", value: .bool(true))])
      throw failure
    }
    try finish(&writer, count: count, next: nil)
    if isCut { throw ListExtent.stopped(after: count, "posts") }
  }

  /// - Parameter next: the cursor of the next page, empty at the end; nil if unknown.
  private func finish(_ writer: inout RecordWriter<FeedPost>, count: Int, next: String?) throws {
    let hasMore = next?.isEmpty == false
    try writer.end(
      next.map {
        [.init(name: "next_cursor", value: .string($0)), .init(name: "has_more", value: .bool(hasMore))]
      } ?? [])
    guard writer.format == .table || (writer.format != .json && hasMore) else { return }
    let posts = CountText.phrase(count, one: "post", many: "posts")
    Diagnostics.note("\(posts)\(hasMore ? " shown; use --all to list all" : "")")
  }
}

struct Creators: RecordListCommand {
  static let configuration = CommandConfiguration(
    commandName: "creators", abstract: "List creators recommended to a user, best first.",
    usage: "nova creators [<user-id>] [--limit <count>] [<options>]")
  static let columns = ["id", "name", "follower_count", "relevance_score", "reason"]
  static let key = "creators"
  static let unit = (one: "creator", many: "creators")

  @OptionGroup var user: UserArgument
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup var options: RecordListOptions

  func load(_ context: CommandContext) async throws -> [RecommendedCreator] {
    let user = try await context.id(of: user.actor)
    let creators = try await context.feed.getRecommendedCreators(userId: user, limit: limit.limit ?? 0)
    if creators.isEmpty { try await self.user.requireExistence(of: user, context) }
    return creators
  }
}
