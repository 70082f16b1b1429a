import ArgumentParser
import NovaSDK

enum SharePost: PairKind {
  static let pair = Pair(
    name: "share", abstract: "Share a post.", rpc: SocialRPC.createShare.descriptor,
    ids: ["the user who shares the post", "the post"], target: .post,
    result: .change("has shared") { response in
      let count = response["share_count"]?.integerValue ?? 0
      // Also what a response without a count says.
      return count == 0 ? "" : ", which was shared \(count == 1 ? "once" : "\(count) times")"
    })

  struct Details: PairDetails {
    @Option(help: "The type of the share: repost, story, or dm.") var type = ShareType.repost.rawValue

    var members: [JSONValue.Member] { [.init(name: "share_type", value: .string(type))] }
  }
}

struct Stats: AsyncParsableCommand, FieldSelecting {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show the number of likes, comments, and shares of posts.",
    usage: "nova stats <post-id> ... [<options>]")

  @OptionGroup var posts: PostArguments
  @OptionGroup var options: RecordListOptions

  /// A post's statistics with the ID of the post, which the contract keeps apart.
  private static let descriptor = MessageDescriptor(
    "PostStats",
    fields: [FieldDescriptor("post_id", json: "postId", number: 0, kind: .string)] + PostStats.descriptor.fields)

  func run() async throws {
    let shape = try options.shape(Self.descriptor, id: "post_id")
    let posts = try posts.ids.read()
    try await CommandContext.run(options) { context in
      let ids = posts.map(\.text)
      guard !ids.isEmpty else {
        Diagnostics.note(IDArguments.nothingToDo)
        return try await context.list([], in: shape, key: "stats")
      }
      let stats = try await context.social.batchGetPostStats(postIds: ids)
      let missing = try await Self.missing(of: stats, context)
      let records = try ids.compactMap { id in
        try stats[id].flatMap { missing.contains(id.byteKey) ? nil : try Self.record(id, $0) }
      }
      try await context.list(records, in: shape, key: "stats")
      try await context.forEach(posts) { post in
        guard stats[post.text] == nil || missing.contains(post.text.byteKey) else { return }
        _ = try Failure.required(PostStats?.none, "post", id: post)
      }
    }
  }

  static var selectable: MessageDescriptor { descriptor }

  /// The posts without any count that are not there: many servers count nothing of posts that they do not have.
  private static func missing(of stats: [String: PostStats], _ context: CommandContext) async throws -> Set<String> {
    var missing: Set<String> = []
    for (id, counts) in stats where counts == PostStats() {
      if try await context.isMissing(post: id) == true { missing.insert(id.byteKey) }
    }
    return missing
  }

  private static func record(_ id: String, _ stats: PostStats) throws -> JSONValue {
    guard case .object(let members) = try stats.jsonValue() else { return .null }
    return .object([.init(name: "post_id", value: .string(id))] + members)
  }
}
