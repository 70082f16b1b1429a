import NovaCore

/// What the check has made to probe with.
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
    /// A comment of alice on it; empty if none could be created.
    var comment = ""
  }

  struct Upload: Sendable {
    let id: String
    let url: String
    /// SHA-256 in hexadecimal.
    let digest: String
    let bytes: [UInt8]
  }

  let alice: User
  let bob: User
  /// Nil if the gateway registers no third account.
  let carol: User?
  /// What is to be probed.
  let things: Set<PrivateThing>
  /// The beginning of texts that are in one private thing each, and nowhere else.
  let marker: String
  var posts: [PrivateThing: Post] = [:]
  /// A completed upload that nothing shows.
  var upload: Upload?
  /// The ids of a private video and a private reel.
  var video = "", reel = ""
  var capture: Int64?
  /// The position of events before what happened in this phase.
  var position = ""
  /// Why things are not there.
  var missing: [PrivateThing: String] = [:]

  func user(_ reader: LeakReader) -> User? {
    switch reader {
    case .stranger, .blocked, .blocking: bob
    case .follower: carol
    case .nobody: nil
    }
  }

  /// Text that shows a thing wherever it occurs, also in the message of an error; nil for things without text.
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
