import ArgumentParser
import NovaSDK

enum SharePost: PairKind {
  static let pair = Pair(
    name: "share", abstract: "Share a post.", rpc: SocialRPC.createShare.descriptor,
    ids: ["the user who shares the post", "the post"],
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

struct Stats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show the number of likes, comments, and shares of posts.",
    usage: "nova stats <post-id> ... [<options>]")

  @Argument(help: .value("post-id", "IDs of the posts.")) var posts: [PostID]
  @OptionGroup var options: RecordListOptions

  /// A post's statistics with the ID of the post, which the contract keeps apart.
  private static let descriptor = MessageDescriptor(
    "PostStats",
    fields: [FieldDescriptor("post_id", json: "postId", number: 0, kind: .string)] + PostStats.descriptor.fields)

  func run() async throws {
    let shape = try options.shape(Self.descriptor, id: "post_id")
    try await CommandContext.run(options) { context in
      let ids = posts.map(\.text)
      let stats = try await context.social.batchGetPostStats(postIds: ids)
      let records = try ids.compactMap { id in try stats[id].map { try Self.record(id, $0) } }
      try await context.list(records, in: shape, key: "stats")
      for post in posts { _ = try Failure.required(stats[post.text], "post", id: post) }
    }
  }

  private static func record(_ id: String, _ stats: PostStats) throws -> JSONValue {
    guard case .object(let members) = try stats.jsonValue() else { return .null }
    return .object([.init(name: "post_id", value: .string(id))] + members)
  }
}
