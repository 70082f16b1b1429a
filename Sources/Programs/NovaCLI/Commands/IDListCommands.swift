import ArgumentParser
import NovaCore
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
    let key = Kind.list.key
    let shape = try shape(key, column: key == "user_id" ? "username" : "content")
    try await CommandContext.run(options) { context in
      let owner = try await owner.id(context)
      let list = PagedList(one: Kind.list.one, many: Kind.list.many) { Kind.list.sequence(context, owner, $0, $1) }
      let lookup: RecordLookup = key == "user_id" ? .users(context) : .posts(context)
      try await list.write(options.part, to: IDWriter(context.output, in: shape, key: key, lookup: lookup))
    }
  }

  /// The shape of the list.
  ///
  /// - Parameters:
  ///   - key: the name of an ID: `user_id`.
  ///   - column: the field of the record behind an ID that tables show.
  private func shape(_ key: String, column: String) throws -> RecordShape {
    let descriptor = IDWriter.descriptor(key)
    try options.check(descriptor)
    // A template selects the fields that it names.
    let named = options.filter.template?.names ?? []
    let picked = options.fields ?? (named.isEmpty ? nil : named.joined(separator: ","))
    return try RecordShape(
      descriptor, columns: names.ids ? [key] : [key, column], picked: picked, id: key, format: options.format,
      cells: options.view.cells)
  }
}

/// Whose list a command shows.
protocol ListOwner: ParsableArguments {
  static var usage: String { get }
  func id(_ context: CommandContext) async throws -> String
}

extension UserArgument: ListOwner {
  static var usage: String { "[<user-id>]" }

  func id(_ context: CommandContext) async throws -> String { try await context.id(of: actor) }
}

/// The post whose list a command shows.
struct PostArgument: ListOwner {
  static let usage = "<post-id>"

  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID

  func id(_ context: CommandContext) -> String { post.text }
}

/// A list of IDs that a command prints.
struct IDList: Sendable {
  let name: String
  let abstract: String
  /// The name of an ID in JSON: `user_id`.
  let key: String
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
    name: "followers", abstract: "List a user's followers, newest first.", key: "user_id",
    one: "follower", many: "followers"
  ) { $0.graph.followers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Following: IDListKind {
  static let list = IDList(
    name: "following", abstract: "List the users that a user follows, newest follow first.",
    key: "user_id", one: "followed user", many: "followed users"
  ) { $0.graph.following(of: $1, maximumCount: $2, onShift: $3) }
}

enum Likes: IDListKind {
  typealias Owner = PostArgument

  static let list = IDList(
    name: "likes", abstract: "List the users who like a post, newest like first.", key: "user_id",
    one: "like", many: "likes"
  ) { $0.social.likers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Liked: IDListKind {
  static let list = IDList(
    name: "liked", abstract: "List the posts that a user likes, newest like first.", key: "post_id",
    one: "liked post", many: "liked posts"
  ) { $0.social.likedPostIds(by: $1, maximumCount: $2, onShift: $3) }
}
