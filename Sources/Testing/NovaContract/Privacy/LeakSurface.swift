import NovaCore

/// How an RPC could show private data, and how to detect that: a row of the table of all probes.
struct LeakSurface: Sendable {
  /// How many requests ask for the things.
  enum Scope: Sendable {
    /// One for each thing.
    case each
    /// One for the first thing, where an answer takes time.
    case first
    /// One for all things: a list or a batch.
    case together
  }

  let rpc: RPCDescriptor
  /// What the RPC could show.
  let things: [PrivateThing]
  let scope: Scope
  /// What the contract requires in place of a leak.
  let answer: PrivateAnswer
  /// Whether a call without a token has no user to ask for.
  let needsUser: Bool
  /// Returns the requests; none if something that they need is absent.
  let questions: @Sendable (LeakContext) -> [LeakQuestion]

  init(
    _ rpc: any DescribedRPC, _ things: [PrivateThing], scope: Scope = .each, answer: PrivateAnswer,
    needsUser: Bool = false, questions: @escaping @Sendable (LeakContext) -> [LeakQuestion]
  ) {
    (self.rpc, self.things, self.scope, self.answer) = (rpc.descriptor, things, scope, answer)
    (self.needsUser, self.questions) = (needsUser, questions)
  }

  /// Every row.
  static let all = posts + postLists + activity + writes + events + people + files
}

/// What the contract requires in place of something private.
enum PrivateAnswer: Sendable {
  /// A success whose field says that it does not exist: `found:false`.
  case absent(String)
  /// A success without it.
  case leftOut
  /// The same, or any refusal: the whole list belongs to a user who may hide it.
  case withheld
  /// NOT_FOUND. An empty success is read in the same way.
  case notFound
  /// PERMISSION_DENIED.
  case denied
  /// Any refusal, or a success without it: the contract names no code.
  case refused
}

/// A request that must not show something private.
struct LeakQuestion: Sendable {
  let message: any ProtoMessage
  /// The end of the request's name, after the things: `, status draft`.
  var detail = ""
  /// The things that an answer could show, and the signs that it does.
  let signs: [PrivateThing: [LeakSign]]
  /// The field with the total of a list. It must not count the things.
  var total: String?
  /// The verb in a finding.
  var verb = "shows"

  /// The word before the reader in a finding: `shows … to`, `accepts … from`.
  var preposition: String {
    switch verb.prefix(while: { $0 != " " }) {
    case "accepts": "from"
    case "counts", "makes", "searches": "for"
    default: "to"
    }
  }

  /// Asks for one thing.
  init(_ message: any ProtoMessage, about thing: PrivateThing, _ signs: LeakSign..., verb: String = "shows") {
    (self.message, self.signs, self.verb) = (message, [thing: signs], verb)
  }

  init(
    _ message: any ProtoMessage, detail: String = "", signs: [PrivateThing: [LeakSign]], total: String? = nil,
    verb: String = "shows"
  ) {
    (self.message, self.detail, self.signs, self.total, self.verb) = (message, detail, signs, total, verb)
  }
}

/// The sign in a success that something private exists.
enum LeakSign: Sendable, Hashable {
  /// A field of the response that has a value.
  case field(String)
  /// An entry of a map that has a value.
  case entry(String, key: String)
  /// This value in any field.
  case value(String)
  /// An event with this post.
  case event(post: String)
}

/// The subject of a question.
struct LeakContext: Sendable {
  let world: PrivacyWorld
  let reader: LeakReader
  let things: [PrivateThing]

  var thing: PrivateThing { things[0] }
  /// The post of the first thing.
  var post: PrivacyWorld.Post { world.posts[thing] ?? PrivacyWorld.Post() }
  var owner: String { world.alice.id }
  /// The user who asks; bob without a token.
  var readerID: String { reader == .follower ? world.carol?.id ?? world.bob.id : world.bob.id }

  func id(_ thing: PrivateThing) -> String { world.posts[thing]?.id ?? "" }

  /// The posts among the things that have an id.
  var postIDs: [String] { things.map(id) }

  /// A sign for each thing.
  func signs(_ sign: (PrivateThing) -> LeakSign) -> [PrivateThing: [LeakSign]] {
    Dictionary(uniqueKeysWithValues: things.map { ($0, [sign($0)]) })
  }

  /// Signs for those of the things that are in a list.
  func signs(of listed: [PrivateThing], _ sign: (PrivateThing) -> LeakSign) -> [PrivateThing: [LeakSign]] {
    signs(sign).filter { listed.contains($0.key) }
  }
}

/// An RPC with any types of messages.
protocol DescribedRPC {
  var descriptor: RPCDescriptor { get }
}

extension RPC: DescribedRPC {}
