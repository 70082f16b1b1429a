import ArgumentParser
import NovaCore
import NovaSDK

struct SharePost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "share", abstract: "Share a post.")

  @Argument(help: ArgumentHelp("Who shares.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @Option(help: "How: repost, story or dm.") var type = ShareType.repost.rawValue
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateShareRequest(userId: user.text, postId: post.text, shareType: type)
      let response = try await context.social.createShare(request)
      let times = response.shareCount == 1 ? "once" : "\(response.shareCount) times"
      try context.confirm(
        response, response.success, response.message,
        "\(user.text) has shared \(post.text), which was shared \(times)", format.output)
    }
  }
}

struct Stats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the likes, comments and shares of posts.",
    usage: "nova stats <post-id> ... [<options>]")

  @Argument(help: ArgumentHelp("The posts' ids.", valueName: "post-id")) var posts: [PostID]
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  /// A post's statistics with the post's id, which is beside them in the contract.
  private static let descriptor = MessageDescriptor(
    "PostStats", [FieldDescriptor("post_id", json: "postId", number: 0, .string)] + PostStats.descriptor.fields)

  func run() async throws {
    let shape = try RecordShape(Self.descriptor, picked: format.fields, id: "post_id")
    try await CommandContext.run(connection) { context in
      let ids = posts.map(\.text)
      let stats = try await context.social.batchGetPostStats(postIds: ids)
      var writer = RecordWriter<JSONValue>(context.output, format.output, shape, key: "stats") { $0 }
      try writer.begin()
      try writer.write(try ids.compactMap { id in try stats[id].map { try Self.record(id, $0) } })
      try writer.end([])
      if let missing = ids.first(where: { stats[$0] == nil }) {
        throw Failure("there is no post \(missing.printable(to: 100))", .notFound)
      }
    }
  }

  private static func record(_ id: String, _ stats: PostStats) throws -> JSONValue {
    guard case .object(let members) = try stats.jsonValue() else { return .null }
    return .object([.init(name: "post_id", value: .string(id))] + members)
  }
}
