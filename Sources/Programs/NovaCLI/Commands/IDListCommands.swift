import ArgumentParser
import NovaSDK

/// A command that lists IDs page by page: `nova followers [<user-id>]`.
struct IDListCommand<Kind: IDListKind>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let list = Kind.list
    return CommandConfiguration(
      commandName: list.name, abstract: list.abstract,
      usage: "nova \(list.name) \(Kind.Owner.usage) [--limit <count>] [--offset <count>] [--all] [<options>]")
  }

  @OptionGroup var owner: Kind.Owner
  @OptionGroup(title: "List") var names: NameOptions
  @OptionGroup var options: PagedOptions

  func validate() throws {
    if names.ids, options.fields != nil { throw ValidationError("--ids and --fields cannot be combined") }
  }

  func run() async throws {
    let record = Kind.list.record
    // A template selects the fields that it names.
    let named = options.filter.template.map { $0.names.joined(separator: ",") }
    let shape = try options.shape(
      record.descriptor, columns: names.ids ? [record.key] : [record.key, record.column],
      picked: named?.isEmpty == true ? nil : named, id: record.key)
    try await CommandContext.run(options) { context in
      let owner = try await owner.id(context)
      var list = PagedList(one: Kind.list.one, many: Kind.list.many) { Kind.list.sequence(context, owner, $0, $1) }
      list.whenEmpty = { try await self.owner.requireExistence(of: owner, context) }
      let writer = record.writer(context.output, in: shape, lookup: record.lookup(context))
      try await list.write(options.part, to: writer)
    }
  }
}

/// Whose list a command shows.
protocol ListOwner: ParsableArguments {
  static var usage: String { get }
  func id(_ context: CommandContext) async throws -> String
  /// - Throws: ``Failure`` if the gateway reports that it does not exist.
  func requireExistence(of id: String, _ context: CommandContext) async throws
}

extension UserArgument: ListOwner {
  static var usage: String { "[<user-id>]" }

  func id(_ context: CommandContext) async throws -> String { try await context.id(of: actor) }

  func requireExistence(of id: String, _ context: CommandContext) async throws {
    // The signed-in user exists.
    if try actor != nil { try await context.requireUser(id) }
  }
}

/// The post whose list a command shows.
struct PostArgument: ListOwner {
  static let usage = "<post-id>"

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID

  func id(_ context: CommandContext) -> String { post.text }

  func requireExistence(of id: String, _ context: CommandContext) async throws { try await context.requirePost(id) }
}

/// A list of IDs that a command prints.
struct IDList: Sendable {
  let name: String
  let abstract: String
  /// What the IDs are those of.
  let record: IDRecord
  let one: String
  let many: String
  /// The list of an owner, up to a number of items.
  let sequence:
    @Sendable (CommandContext, _ owner: String, _ maximum: Int?, @escaping @Sendable (PageShift) -> Void)
      -> PagedSequence<String>
}

protocol IDListKind {
  associatedtype Owner: ListOwner = UserArgument

  static var list: IDList { get }
}

enum Followers: IDListKind {
  static let list = IDList(
    name: "followers", abstract: "List a user's followers, newest first.", record: .user,
    one: "follower", many: "followers"
  ) { $0.graph.followers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Following: IDListKind {
  static let list = IDList(
    name: "following", abstract: "List the users that a user follows, newest follow first.",
    record: .user, one: "followed user", many: "followed users"
  ) { $0.graph.following(of: $1, maximumCount: $2, onShift: $3) }
}

enum Likes: IDListKind {
  typealias Owner = PostArgument

  static let list = IDList(
    name: "likes", abstract: "List the users who like a post, newest like first.", record: .user,
    one: "like", many: "likes"
  ) { $0.social.likers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Liked: IDListKind {
  static let list = IDList(
    name: "liked", abstract: "List the posts that a user likes, newest like first.", record: .post,
    one: "liked post", many: "liked posts"
  ) { $0.social.likedPostIds(by: $1, maximumCount: $2, onShift: $3) }
}
