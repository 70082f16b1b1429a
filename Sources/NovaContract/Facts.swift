import NovaCore

/// What the check learned of the server, and what it created there.
struct Facts {
  /// An account that the check opened.
  struct Account {
    var id = ""
    let email: String
    let username: String
    let password: String
    var refreshToken = ""
  }

  /// An id that nothing has: of the form of a UUID, which some servers insist on.
  static let unknownID = "00000000-0000-4000-8000-00000000c0de"

  /// The account that everything is done as.
  var account: Account?
  /// Another one, to be followed and blocked.
  var otherAccount: Account?
  /// Whose token the check was given.
  var signedIn: String?
  /// Users that the server has, the ones to look at first.
  private(set) var users: [String] = []
  private(set) var posts: [String] = []
  private(set) var comments: [String] = []
  /// The post that the check created.
  var ownPost: String?

  /// Whose things are looked at: what only the owner sees is checked with the owner's token.
  var me: String? { account?.id ?? signedIn ?? users.first }
  /// A user who is not ``me``.
  var somebodyElse: String? { otherAccount?.id ?? users.first { $0 != me } }
  /// The post to look at.
  var post: String? { ownPost ?? posts.first }

  mutating func learn(users ids: [String]) { Self.add(ids, to: &users) }
  mutating func learn(posts ids: [String]) { Self.add(ids, to: &posts) }
  mutating func learn(comments ids: [String]) { Self.add(ids, to: &comments) }

  private static func add(_ ids: [String], to known: inout [String]) {
    for id in ids where !id.isEmpty && !known.contains(id) && known.count < 20 { known.append(id) }
  }
}
