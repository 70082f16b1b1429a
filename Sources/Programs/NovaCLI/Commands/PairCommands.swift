import ArgumentParser
import NovaSDK

/// A command that makes one call with two IDs, of the acting user and of what they act on: `nova follow <followee-id>`, or
/// `nova follow <follower-id> <followee-id>`.
struct PairCommand<Kind: PairKind>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let pair = Kind.pair
    return CommandConfiguration(
      commandName: pair.name, abstract: pair.abstract,
      usage: "nova \(pair.name) [<\(pair.label(0))>] <\(pair.label(1))> [<options>]")
  }

  @Argument(help: Kind.pair.help(0, " Default: the signed-in user.")) var first: String?
  @Argument(help: Kind.pair.help(1)) var second: String?
  @OptionGroup var acting: ActorOptions
  @OptionGroup var details: Kind.Details
  @OptionGroup var options: ResultOptions

  func validate() throws { _ = try parts() }

  /// The acting user and the other ID. A single argument is the other ID.
  private func parts() throws -> (actor: UserID?, target: EntityID) {
    guard let target = second ?? first else {
      throw ValidationError("missing <\(Kind.pair.label(1))>")
    }
    let user = try second == nil ? nil : first.map { try id($0, 0) }
    return (try acting.actor(or: user), try id(target, 1))
  }

  /// The parser cannot check the IDs: it cannot tell which one a single argument is.
  private func id(_ text: String, _ index: Int) throws -> EntityID {
    if let id = EntityID(argument: text) { return id }
    throw ValidationError("invalid value \"\(text.printable(to: 100))\" for <\(Kind.pair.label(index))>")
  }

  func run() async throws {
    let pair = Kind.pair
    try options.check(pair.rpc.responseType.descriptor)
    let (actor, target) = try parts()
    try await CommandContext.run(options) { context in
      let user = try await context.id(of: actor)
      let request = try pair.request([user, target.text], details.members)
      let response = try await context.client.respond(pair.rpc, request, options: context.options).value
      switch pair.result {
      case .answer(let field): try context.write(answerIn: field, of: response, as: options.format)
      case .change(let verb, let more):
        let sentence = "\(user) \(verb) \(target.text)\(more(try response.jsonValue()))"
        try context.confirm(response, as: options.format, sentence: sentence)
      }
    }
  }
}

/// A command that is made from an RPC whose request begins with two IDs: the acting user, and what they act on. Its
/// arguments are named after the request's fields.
struct Pair: Sendable {
  /// What the command prints.
  enum Result: Sendable {
    /// `true` or `false`: the value of a field of the response.
    case answer(field: String)
    /// A sentence: the first ID, a verb, the second ID, and text made from the response.
    case change(String, more: @Sendable (JSONValue) -> String = { _ in "" })
  }

  let name: String
  let abstract: String
  let rpc: RPCDescriptor
  /// What the two IDs are.
  let ids: [String]
  let result: Result

  /// The names of the two fields of the request.
  private var fields: [String] { rpc.requestType.descriptor.fields.prefix(2).map(\.name) }

  /// The name of an argument: `followee-id`.
  func label(_ index: Int) -> String { String(fields[index].map { $0 == "_" ? "-" : $0 }) }

  func help(_ index: Int, _ addition: String = "") -> ArgumentHelp {
    ArgumentHelp("ID of \(ids[index]).\(addition)", valueName: label(index))
  }

  func request(_ ids: [String], _ more: [JSONValue.Member]) throws -> any ProtoMessage {
    let members = zip(fields, ids).map { JSONValue.Member(name: $0, value: .string($1)) }
    return try rpc.requestType.init(jsonUTF8: JSONValue.object(members + more).jsonUTF8)
  }
}

protocol PairKind {
  associatedtype Details: PairDetails = NoPairDetails

  static var pair: Pair { get }
}

/// The options for the other fields of a pair's request.
protocol PairDetails: ParsableArguments {
  var members: [JSONValue.Member] { get }
}

struct NoPairDetails: PairDetails {
  var members: [JSONValue.Member] { [] }
}

enum Follow: PairKind {
  static let pair = Pair(
    name: "follow", abstract: "Follow a user.", rpc: GraphRPC.createFollow.descriptor,
    ids: ["the user who follows", "the user to follow"], result: .change("follows"))
}

enum Unfollow: PairKind {
  static let pair = Pair(
    name: "unfollow", abstract: "Unfollow a user.", rpc: GraphRPC.deleteFollow.descriptor,
    ids: ["the user who follows", "the user to unfollow"], result: .change("does not follow"))
}

enum IsFollowing: PairKind {
  static let pair = Pair(
    name: "is-following", abstract: "Check whether you, or another user, follow a user; prints true or false.",
    rpc: GraphRPC.isFollowing.descriptor, ids: ["the user who may follow the other", "the other user"],
    result: .answer(field: "is_following"))
}

enum Mute: PairKind {
  static let pair = Pair(
    name: "mute", abstract: "Mute a user.", rpc: GraphRPC.createMute.descriptor,
    ids: ["the user who mutes", "the user to mute"], result: .change("mutes"))
}

enum Unmute: PairKind {
  static let pair = Pair(
    name: "unmute", abstract: "Unmute a user.", rpc: GraphRPC.deleteMute.descriptor,
    ids: ["the user who mutes", "the user to unmute"], result: .change("does not mute"))
}

enum IsMuted: PairKind {
  static let pair = Pair(
    name: "is-muted", abstract: "Check whether you, or another user, have muted a user; prints true or false.",
    rpc: GraphRPC.isMuted.descriptor, ids: ["the user who may mute the other", "the other user"],
    result: .answer(field: "is_muted"))
}

enum Block: PairKind {
  static let pair = Pair(
    name: "block", abstract: "Block a user, and remove the follows in both directions.",
    rpc: GraphRPC.createBlock.descriptor, ids: ["the user who blocks", "the user to block"],
    result: .change("blocks"))
}

enum Unblock: PairKind {
  static let pair = Pair(
    name: "unblock", abstract: "Unblock a user. Removed follows are not restored.",
    rpc: GraphRPC.deleteBlock.descriptor, ids: ["the user who blocks", "the user to unblock"],
    result: .change("does not block"))
}

enum IsBlocked: PairKind {
  static let pair = Pair(
    name: "is-blocked", abstract: "Check whether you, or another user, have blocked a user; prints true or false.",
    rpc: GraphRPC.isBlocked.descriptor, ids: ["the user who may block the other", "the other user"],
    result: .answer(field: "is_blocked"))
}

enum LikePost: PairKind {
  static let pair = Pair(
    name: "like", abstract: "Like a post.", rpc: SocialRPC.createLike.descriptor,
    ids: ["the user who likes the post", "the post"], result: .change("likes", more: likes))

  /// `, which has 1 like`; nothing for 0, which is also what a response without a count says.
  @Sendable static func likes(_ response: JSONValue) -> String {
    let count = response["like_count"]?.integerValue ?? 0
    return count == 0 ? "" : ", which has \(count == 1 ? "1 like" : "\(count) likes")"
  }
}

enum UnlikePost: PairKind {
  static let pair = Pair(
    name: "unlike", abstract: "Remove a like.", rpc: SocialRPC.deleteLike.descriptor,
    ids: ["the user who liked the post", "the post"], result: .change("does not like", more: LikePost.likes))
}

enum BookmarkPost: PairKind {
  static let pair = Pair(
    name: "bookmark", abstract: "Bookmark a post.", rpc: ContentRPC.createBookmark.descriptor,
    ids: ["the user who bookmarks the post", "the post"], result: .change("has bookmarked"))
}

enum UnbookmarkPost: PairKind {
  static let pair = Pair(
    name: "unbookmark", abstract: "Remove a bookmark.", rpc: ContentRPC.deleteBookmark.descriptor,
    ids: ["the user who bookmarked the post", "the post"], result: .change("has not bookmarked"))
}
