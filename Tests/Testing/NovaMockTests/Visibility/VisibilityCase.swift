import NovaCore

/// Who asks, as seen from the user whose posts and profile are asked for.
enum ViewerRelation: String, CaseIterable, Sendable {
  case oneself, follower, stranger
  /// Blocked by the user.
  case blocked
  /// Has blocked the user.
  case blocking
  /// Without a token.
  case noToken
}

/// What is asked for, and by whom.
struct VisibilityCase: Sendable, CustomStringConvertible {
  let relation: ViewerRelation
  let isPrivateAccount: Bool
  var privacy = "public"
  var status = "published"

  static let privacies = ["public", "followers", "private"]
  static let statuses = ["published", "draft", "archived"]

  var description: String {
    "\(relation) asks for a \(status) \(privacy) post of a \(isPrivateAccount ? "private" : "public") account"
  }

  /// The contract's rule for a post, written down once more.
  var showsPost: Bool {
    switch relation {
    case .oneself, .noToken: true
    case .blocked, .blocking: false
    case .follower: status == "published" && privacy != "private"
    case .stranger: status == "published" && privacy == "public" && !isPrivateAccount
    }
  }

  /// The same for a file, video, or reel: it has a visibility, and no status.
  var showsMedia: Bool {
    VisibilityCase(relation: relation, isPrivateAccount: isPrivateAccount, privacy: privacy).showsPost
  }

  /// Whether the whole profile and its lists of users are visible. Blocks hide neither.
  var showsProfile: Bool { !isPrivateAccount || [.oneself, .noToken, .follower].contains(relation) }

  /// Whether what is the user's alone is visible.
  var showsOwn: Bool { [.oneself, .noToken].contains(relation) }

  /// Whether the account's events are visible. Unlike the profile, they contain its posts.
  var showsEvents: Bool { showsProfile && relation != .blocked && relation != .blocking }
}
