/// Something that only some users may see. The check creates it, and tests who else can read it.
///
/// In names and findings, alice is the owner, bob is a stranger, and carol follows alice.
enum PrivateThing: String, CaseIterable, Sendable {
  case privatePost, followersPost, draft, archivedPost
  /// A public post of a user who blocks the reader, or whom the reader blocks.
  case postAcrossBlock
  /// A public post of a private account.
  case postOfPrivateAccount
  case email, settings, bookmarks, upload, video, reel, capture
  /// The fields of a private profile that strangers do not see.
  case profile
  /// The same, where the settings make the account private.
  case profileBySettings
  case followers, following, likedPosts
  /// What happens to a private account.
  case events

  /// Whether it is a post.
  var isPost: Bool { Self.posts.contains(self) }

  static let posts: [PrivateThing] = [
    .privatePost, .followersPost, .draft, .archivedPost, .postAcrossBlock, .postOfPrivateAccount,
  ]

  /// Whether a reader must not see it, and a phase can probe that.
  func isHidden(from reader: LeakReader, in phase: PrivacyPhase) -> Bool {
    traits.phases.contains(phase) && traits.hiddenFrom.contains(reader)
  }

  /// What the check has about a thing: its names, and who must not see it.
  struct Traits {
    /// Its name in the name of a request: `a private post`.
    let name: String
    /// Its name in a finding: `alice's private post`.
    let phrase: String
    /// The readers who must not see it.
    var hiddenFrom: [LeakReader] = [.stranger]
    /// When it can be probed.
    var phases: [PrivacyPhase] = [.open]
    /// The privacy and the status that hide a post; nil if something else does.
    var privacy: String?, status: String?
  }

  var traits: Traits {
    switch self {
    case .privatePost:
      Traits(name: "a private post", phrase: "alice's private post", hiddenFrom: Self.everyone, privacy: "private")
    case .followersPost:
      Traits(name: "a followers-only post", phrase: "alice's followers-only post", privacy: "followers")
    case .draft:
      Traits(name: "a draft", phrase: "alice's draft", hiddenFrom: [.stranger, .follower], status: "draft")
    case .archivedPost:
      Traits(
        name: "an archived post", phrase: "alice's archived post", hiddenFrom: [.stranger, .follower],
        status: "archived")
    case .postAcrossBlock:
      Traits(
        name: "a public post", phrase: "alice's post", hiddenFrom: [.blocked, .blocking], phases: [.blocked, .blocking])
    case .postOfPrivateAccount:
      ofPrivateAccount("a post of a private account", "a post of alice, \(Self.withPrivateAccount),")
    case .email: ofAlice("an e-mail address", "alice's e-mail address")
    case .settings: ofAlice("settings", "alice's settings")
    case .bookmarks: ofAlice("bookmarks", "alice's bookmarks")
    case .upload: ofAlice("an unpublished upload", "alice's unpublished upload")
    case .video: ofAlice("a private video", "alice's private video")
    case .reel: ofAlice("a private reel", "alice's private reel")
    case .capture: ofAlice("a capture", "alice's capture")
    case .profile: ofPrivateAccount("a private profile", "private fields of alice's private profile")
    case .profileBySettings:
      Traits(
        name: "a profile with privacy_level private",
        phrase: "private fields of alice's profile, which her settings make private,", phases: [.privateSettings])
    case .followers:
      ofPrivateAccount("a private account's followers", "the followers of alice, \(Self.withPrivateAccount),")
    case .following:
      ofPrivateAccount("whom a private account follows", "whom alice, \(Self.withPrivateAccount), follows")
    case .likedPosts:
      ofPrivateAccount("a private account's liked posts", "the liked posts of alice, \(Self.withPrivateAccount),")
    case .events: ofPrivateAccount("a private account's events", "the events of alice, \(Self.withPrivateAccount),")
    }
  }

  private static let everyone: [LeakReader] = [.stranger, .follower, .nobody]
  private static let withPrivateAccount = "whose account is private"

  /// What only alice may see.
  private func ofAlice(_ name: String, _ phrase: String) -> Traits {
    Traits(name: name, phrase: phrase, hiddenFrom: Self.everyone)
  }

  private func ofPrivateAccount(_ name: String, _ phrase: String) -> Traits {
    Traits(name: name, phrase: phrase, phases: [.privateAccount])
  }
}

/// A reader of something that belongs to alice.
enum LeakReader: String, CaseIterable, Sendable {
  /// Bob.
  case stranger
  /// Carol, who follows alice.
  case follower
  /// Bob, whom alice blocks.
  case blocked
  /// Bob, who blocks alice.
  case blocking
  /// A call without a token.
  case nobody

  /// The reader in the name of a request, and in a finding.
  var names: (inRequest: String, inFinding: String) {
    switch self {
    case .stranger: ("as a stranger", "bob, a stranger")
    case .follower: ("as a follower", "carol, a follower")
    case .blocked: ("as a blocked user", "bob, whom alice blocks")
    case .blocking: ("as a user who blocks the owner", "bob, who blocks alice")
    case .nobody: ("without a token", "a caller without a token")
    }
  }
}

/// The states of the accounts in which probes are sent, in order.
enum PrivacyPhase: CaseIterable, Sendable {
  /// Alice's account is public, and no one is blocked.
  case open
  /// Alice blocks bob.
  case blocked
  /// Bob blocks alice.
  case blocking
  /// Alice's profile is private.
  case privateAccount
  /// Alice's settings are private.
  case privateSettings

  /// The readers in this phase.
  var readers: [LeakReader] {
    switch self {
    case .open: [.stranger, .follower, .nobody]
    case .blocked: [.blocked]
    case .blocking: [.blocking]
    case .privateAccount, .privateSettings: [.stranger]
    }
  }
}
