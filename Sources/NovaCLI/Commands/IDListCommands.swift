import ArgumentParser
import NovaCore
import NovaSDK

/// A command that lists IDs page by page: `nova followers <user-id>`.
struct IDListCommand<Kind: IDListKind>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let list = Kind.list
    return CommandConfiguration(
      commandName: list.name, abstract: list.abstract,
      usage: "nova \(list.name) <\(list.owner)-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  }

  @Argument(help: ArgumentHelp("ID of the \(Kind.list.owner).", valueName: "\(Kind.list.owner)-id")) var id: EntityID
  @OptionGroup var options: PagedIDOptions

  func run() async throws {
    try await CommandContext.run(options.connection) { context in
      let list = PagedList(one: Kind.list.one, many: Kind.list.many) { Kind.list.sequence(context, id.text, $0, $1) }
      try await list.write(
        options.paging.part, to: IDWriter(context.output, options.format.output, key: Kind.list.key))
    }
  }
}

/// A list of IDs that a command prints.
struct IDList: Sendable {
  let name: String
  let abstract: String
  /// Whose list it is: `user` or `post`.
  let owner: String
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
  static var list: IDList { get }
}

enum Followers: IDListKind {
  static let list = IDList(
    name: "followers", abstract: "List a user's followers, newest first.", owner: "user", key: "user_id",
    one: "follower", many: "followers"
  ) { $0.graph.followers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Following: IDListKind {
  static let list = IDList(
    name: "following", abstract: "List the users that a user follows, newest follow first.", owner: "user",
    key: "user_id", one: "followed user", many: "followed users"
  ) { $0.graph.following(of: $1, maximumCount: $2, onShift: $3) }
}

enum Likes: IDListKind {
  static let list = IDList(
    name: "likes", abstract: "List the users who like a post, newest like first.", owner: "post", key: "user_id",
    one: "like", many: "likes"
  ) { $0.social.likers(of: $1, maximumCount: $2, onShift: $3) }
}

enum Liked: IDListKind {
  static let list = IDList(
    name: "liked", abstract: "List the posts that a user likes, newest like first.", owner: "user", key: "post_id",
    one: "liked post", many: "liked posts"
  ) { $0.social.likedPostIds(by: $1, maximumCount: $2, onShift: $3) }
}
