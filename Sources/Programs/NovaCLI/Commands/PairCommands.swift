import ArgumentParser
import NovaSDK

/// A command that makes a call for each of its IDs, with the acting user: `nova follow <followee-id> ...`, or
/// `nova follow <follower-id> <followee-id> ...`.
struct PairCommand<Kind: PairKind>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let pair = Kind.pair
    return CommandConfiguration(
      commandName: pair.name, abstract: pair.abstract,
      usage: "nova \(pair.name) [<\(pair.label(0))>] <\(pair.label(1))> ... [<options>]", discussion: pair.discussion)
  }

  @Argument(help: Kind.pair.help) var ids: [String] = []
  @OptionGroup var acting: ActorOptions
  @OptionGroup var details: Kind.Details
  @OptionGroup var options: ResultOptions

  func validate() throws { _ = try arguments() }

  private func arguments() throws -> PairArguments {
    try PairArguments(
      ids, actor: acting.user, labels: (Kind.pair.label(0), Kind.pair.label(1)), target: Kind.pair.target)
  }

  func run() async throws {
    let pair = Kind.pair
    try options.check(pair.rpc.responseType.descriptor)
    let arguments = try arguments()
    let targets = try arguments.targets.read()
    try await CommandContext.run(options) { context in
      let choice = try await context.choice(arguments, targets)
      let user = try await context.id(of: choice.actor)
      let run = PairRun(
        pair: pair, user: user, details: details, isSingle: choice.targets.count == 1, format: options.format,
        isQuiet: options.connection.quiet)
      try await run.call(choice.targets, in: context)
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
  /// What the second one is an ID of.
  var target = Target.user
  /// Whether the second one must exist: to undo something, or to ask, it need not.
  var requiresTarget = false
  let result: Result

  /// What a pair acts on.
  enum Target: Sendable {
    case user, post
  }

  /// The name of the field with the second ID.
  var targetField: String { fields[1] }

  /// The names of the two fields of the request.
  private var fields: [String] { rpc.requestType.descriptor.fields.prefix(2).map(\.name) }

  /// The name of an argument: `followee-id`.
  func label(_ index: Int) -> String { String(fields[index].map { $0 == "_" ? "-" : $0 }) }

  /// The help of the arguments.
  var help: ArgumentHelp {
    let many = target == .user ? "users: \(UserReference.help)" : "posts."
    return .value(
      label(1), "ID of \(ids[1]), or IDs of several \(many) - reads IDs from standard input.")
  }

  /// The rest of the help.
  var discussion: String {
    let rule =
      target == .user
      ? "The first of several IDs is that of \(ids[0]), unless --as names that user."
      : "The first of several IDs can be that of \(ids[0]); --as names that user in any case."
    return "\(rule) Default: the signed-in user."
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
  /// Whether the exit code reports the answer to a question.
  var reportsByExitCode: Bool { get }
}

extension PairDetails {
  var reportsByExitCode: Bool { false }
}

struct NoPairDetails: PairDetails {
  var members: [JSONValue.Member] { [] }
}

/// The option of questions.
struct QuestionOptions: PairDetails {
  @Flag(
    help: "Exit with 0 if all answers are true, and with 3 if one is false. --quiet does so, too, and prints nothing.")
  var exitCode = false

  var members: [JSONValue.Member] { [] }
  var reportsByExitCode: Bool { exitCode }
}

enum Follow: PairKind {
  static let pair = Pair(
    name: "follow", abstract: "Follow a user.", rpc: GraphRPC.createFollow.descriptor,
    ids: ["the user who follows", "the user to follow"], requiresTarget: true, result: .change("follows"))
}

enum Unfollow: PairKind {
  static let pair = Pair(
    name: "unfollow", abstract: "Unfollow a user.", rpc: GraphRPC.deleteFollow.descriptor,
    ids: ["the user who follows", "the user to unfollow"], result: .change("does not follow"))
}

enum IsFollowing: PairKind {
  typealias Details = QuestionOptions

  static let pair = Pair(
    name: "is-following", abstract: "Check whether you, or another user, follow a user; prints true or false.",
    rpc: GraphRPC.isFollowing.descriptor, ids: ["the user who may follow the other", "the other user"],
    result: .answer(field: "is_following"))
}

enum Mute: PairKind {
  static let pair = Pair(
    name: "mute", abstract: "Mute a user.", rpc: GraphRPC.createMute.descriptor,
    ids: ["the user who mutes", "the user to mute"], requiresTarget: true, result: .change("mutes"))
}

enum Unmute: PairKind {
  static let pair = Pair(
    name: "unmute", abstract: "Unmute a user.", rpc: GraphRPC.deleteMute.descriptor,
    ids: ["the user who mutes", "the user to unmute"], result: .change("does not mute"))
}

enum IsMuted: PairKind {
  typealias Details = QuestionOptions

  static let pair = Pair(
    name: "is-muted", abstract: "Check whether you, or another user, have muted a user; prints true or false.",
    rpc: GraphRPC.isMuted.descriptor, ids: ["the user who may mute the other", "the other user"],
    result: .answer(field: "is_muted"))
}

enum Block: PairKind {
  static let pair = Pair(
    name: "block", abstract: "Block a user, and remove the follows in both directions.",
    rpc: GraphRPC.createBlock.descriptor, ids: ["the user who blocks", "the user to block"],
    requiresTarget: true, result: .change("blocks"))
}

enum Unblock: PairKind {
  static let pair = Pair(
    name: "unblock", abstract: "Unblock a user. Removed follows are not restored.",
    rpc: GraphRPC.deleteBlock.descriptor, ids: ["the user who blocks", "the user to unblock"],
    result: .change("does not block"))
}

enum IsBlocked: PairKind {
  typealias Details = QuestionOptions

  static let pair = Pair(
    name: "is-blocked", abstract: "Check whether you, or another user, have blocked a user; prints true or false.",
    rpc: GraphRPC.isBlocked.descriptor, ids: ["the user who may block the other", "the other user"],
    result: .answer(field: "is_blocked"))
}

enum LikePost: PairKind {
  static let pair = Pair(
    name: "like", abstract: "Like a post.", rpc: SocialRPC.createLike.descriptor,
    ids: ["the user who likes the post", "the post"], target: .post, result: .change("likes", more: likes))

  /// `, which has 1 like`; nothing for 0, which is also what a response without a count says.
  @Sendable static func likes(_ response: JSONValue) -> String {
    let count = response["like_count"]?.integerValue ?? 0
    return count == 0 ? "" : ", which has \(count == 1 ? "1 like" : "\(count) likes")"
  }
}

enum UnlikePost: PairKind {
  static let pair = Pair(
    name: "unlike", abstract: "Remove a like.", rpc: SocialRPC.deleteLike.descriptor,
    ids: ["the user who liked the post", "the post"], target: .post,
    result: .change("does not like", more: LikePost.likes))
}

enum BookmarkPost: PairKind {
  static let pair = Pair(
    name: "bookmark", abstract: "Bookmark a post.", rpc: ContentRPC.createBookmark.descriptor,
    ids: ["the user who bookmarks the post", "the post"], target: .post, result: .change("has bookmarked"))
}

enum UnbookmarkPost: PairKind {
  static let pair = Pair(
    name: "unbookmark", abstract: "Remove a bookmark.", rpc: ContentRPC.deleteBookmark.descriptor,
    ids: ["the user who bookmarked the post", "the post"], target: .post, result: .change("has not bookmarked"))
}
