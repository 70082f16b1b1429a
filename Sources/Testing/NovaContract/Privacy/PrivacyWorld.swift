import NovaCore

/// The accounts and private data that the check has created for its probes.
struct PrivacyWorld: Sendable {
  struct User: Sendable {
    let id: String
    let username: String
    let email: String
    /// Nil for the account that the survey acts as.
    let token: AccessToken?
  }

  struct Post: Sendable {
    var id = ""
    /// Alice's comment on it; empty if it could not be created.
    var comment = ""
  }

  struct Upload: Sendable {
    var id = ""
    var url = ""
    /// SHA-256 in hexadecimal.
    var digest = ""
    var bytes: [UInt8] = []
  }

  let alice: User
  let bob: User
  /// Nil if the gateway registers no third account.
  let carol: User?
  /// What to probe.
  let things: Set<PrivateThing>
  /// The beginning of the texts of which each occurs in one private thing only.
  let marker: String
  var posts: [PrivateThing: Post] = [:]
  /// A completed upload that nothing shows.
  var upload: Upload?
  /// The ids of a private video and a private reel.
  var video = "", reel = ""
  var capture: Int64?
  /// The position before this phase's events.
  var position = ""
  /// Why things could not be created.
  var missing: [PrivateThing: String] = [:]

  func user(_ reader: LeakReader) -> User? {
    switch reader {
    case .stranger, .blocked, .blocking: bob
    case .follower: carol
    case .nobody: nil
    }
  }

  /// Text that proves a leak wherever it occurs, even in an error message; nil for things without text.
  func text(of thing: PrivateThing) -> String? {
    switch thing {
    case .email: alice.email
    case .postAcrossBlock, .postOfPrivateAccount: "\(marker)public"
    case _ where thing.isPost: "\(marker)\(thing.rawValue)"
    case .profile, .profileBySettings: "\(marker)profile"
    case .capture: "\(marker)capture"
    default: nil
    }
  }
}
