import NovaCore

/// A request that must not show something private.
struct LeakQuestion: Sendable {
  let message: any ProtoMessage
  /// The end of the request's name, after the things: `, status draft`.
  let detail: String
  /// The things that an answer could show, and the signs that it does.
  let signs: [PrivateThing: [LeakSign]]
  /// The field with the total of a list. It must not count the things.
  let total: String?
  /// The verb in a finding.
  let verb: String

  init(
    _ message: any ProtoMessage, detail: String = "", signs: [PrivateThing: [LeakSign]], total: String? = nil,
    verb: String = "shows"
  ) {
    (self.message, self.detail, self.signs, self.total, self.verb) = (message, detail, signs, total, verb)
  }

  /// The things in the order of the contract's rules.
  var things: [PrivateThing] { PrivateThing.allCases.filter { signs[$0] != nil } }

  /// The word before the reader in a finding: `shows … to`, `accepts … from`.
  var preposition: String {
    switch verb.prefix(while: { $0 != " " }) {
    case "accepts": "from"
    case "counts", "makes", "searches": "for"
    default: "to"
    }
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
  var upload: PrivacyWorld.Upload { world.upload ?? PrivacyWorld.Upload() }
  var capture: Int64 { world.capture ?? 0 }
  var captureID: String { String(capture) }

  func id(_ thing: PrivateThing) -> String { world.posts[thing]?.id ?? "" }

  /// The ids of the posts among the things.
  var postIDs: [String] { things.map(id) }

  /// The signs of each thing.
  func signs(_ signs: (PrivateThing) -> [LeakSign]) -> [PrivateThing: [LeakSign]] {
    Dictionary(uniqueKeysWithValues: things.map { ($0, signs($0)) })
  }

  /// The post's id as the sign of each thing.
  var ids: [PrivateThing: [LeakSign]] { signs { [.value(id($0))] } }
}
