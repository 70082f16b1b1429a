import ArgumentParser
import NovaCore
import NovaSDK

struct SharePost: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "share", abstract: "Share a post as a user.")

  @Argument(help: ArgumentHelp("ID of the user who shares the post.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @Option(help: "The type of the share: repost, story or dm.") var type = ShareType.repost.rawValue
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateShareResponse {
    { try await $0.social.createShare(CreateShareRequest(userId: user.text, postId: post.text, shareType: type)) }
  }

  func sentence(for response: CreateShareResponse) -> String {
    let times = response.shareCount == 1 ? "once" : "\(response.shareCount) times"
    return "\(user.text) has shared \(post.text), which was shared \(times)"
  }
}

struct Stats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the number of likes, comments and shares of posts.",
    usage: "nova stats <post-id> ... [<options>]")

  @Argument(help: ArgumentHelp("IDs of the posts.", valueName: "post-id")) var posts: [PostID]
  @OptionGroup var options: RecordListOptions

  /// A post's statistics with the ID of the post, which the contract keeps apart.
  private static let descriptor = MessageDescriptor(
    "PostStats",
    fields: [FieldDescriptor("post_id", json: "postId", number: 0, kind: .string)] + PostStats.descriptor.fields)

  func run() async throws {
    let shape = try options.format.shape(Self.descriptor, id: "post_id")
    try await CommandContext.run(options.connection) { context in
      let ids = posts.map(\.text)
      let stats = try await context.social.batchGetPostStats(postIds: ids)
      let records = try ids.compactMap { id in try stats[id].map { try Self.record(id, $0) } }
      try context.list(records, in: shape, key: "stats")
      if let missing = ids.first(where: { stats[$0] == nil }) {
        throw Failure("not found: post \"\(missing.printable(to: 100))\"", .notFound)
      }
    }
  }

  private static func record(_ id: String, _ stats: PostStats) throws -> JSONValue {
    guard case .object(let members) = try stats.jsonValue() else { return .null }
    return .object([.init(name: "post_id", value: .string(id))] + members)
  }
}
