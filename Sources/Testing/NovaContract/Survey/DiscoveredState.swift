import NovaCore

/// What a survey has found on the server, and what it created there.
struct DiscoveredState {
  /// An account that the survey registered.
  struct Account {
    var id = ""
    let email: String
    let username: String
    let password: String
    var refreshToken = ""
    /// The token that registration returned; nil if there is no session yet.
    var token: AccessToken?
  }

  /// An id that does not exist, in the form of a UUID because some servers require that.
  static let unknownID = "00000000-0000-4000-8000-00000000c0de"
  /// Text that cannot be a token.
  static let malformedToken = "nova-contract-no-token"

  /// The account that the survey acts as.
  var account: Account?
  /// Another one, to follow and block.
  var otherAccount: Account?
  /// The user of the token that the check was given.
  var signedIn: String?
  /// The user of the token that requests carry; nil if unknown.
  var caller: String?
  /// Users whose profiles are private.
  private(set) var privateUsers: [String] = []
  /// Users that exist on the server, in the order in which to look at them.
  private(set) var users: [String] = []
  private(set) var posts: [String] = []
  private(set) var comments: [String] = []
  /// The post that the survey created.
  var ownPost: String?
  /// The private video and the private reel that the survey created.
  var privateVideo: String?, privateReel: String?

  /// The user to look at: data that only its owner may read is read with the owner's token.
  var me: String? { account?.id ?? signedIn ?? users.first }
  /// A user other than ``me``.
  var somebodyElse: String? { otherAccount?.id ?? users.first { $0 != me } }
  /// The post to look at.
  var post: String? { ownPost ?? posts.first }

  /// A user to look at, and some of the others, with their names in the report.
  func users(from me: String, others count: Int) -> [(id: String, name: String)] {
    [(me, "a user")] + users.prefix(count).filter { $0 != me }.map { ($0, "another user") }
  }

  /// A post to look at, and some of the others.
  func posts(from post: String, others count: Int) -> [String] { [post] + posts.prefix(count).filter { $0 != post } }

  mutating func add(users ids: [String]) { Self.add(ids, to: &users) }
  mutating func add(posts ids: [String]) { Self.add(ids, to: &posts) }
  mutating func add(privateUsers ids: [String]) { Self.add(ids, to: &privateUsers) }
  mutating func add(comments ids: [String]) { Self.add(ids, to: &comments) }

  private static func add(_ ids: [String], to known: inout [String]) {
    for id in ids where !id.isEmpty && !known.contains(id) && known.count < 20 { known.append(id) }
  }
}
