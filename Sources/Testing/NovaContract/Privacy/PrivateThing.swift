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

  /// The readers who must not see it.
  var hiddenFrom: [LeakReader] {
    switch self {
    case .privatePost: [.stranger, .follower, .nobody]
    case .draft, .archivedPost: [.stranger, .follower]
    case .followersPost: [.stranger]
    case .postAcrossBlock: [.blocked, .blocking]
    case .email, .settings, .bookmarks, .upload, .video, .reel, .capture: [.stranger, .follower, .nobody]
    case .postOfPrivateAccount, .profile, .profileBySettings, .followers, .following, .likedPosts, .events: [.stranger]
    }
  }

  /// When it can be probed.
  var phases: [PrivacyPhase] {
    switch self {
    case .privatePost, .followersPost, .draft, .archivedPost: [.open]
    case .email, .settings, .bookmarks, .upload, .video, .reel, .capture: [.open]
    case .postAcrossBlock: [.blocked, .blocking]
    case .postOfPrivateAccount, .profile, .followers, .following, .likedPosts, .events: [.privateAccount]
    case .profileBySettings: [.privateSettings]
    }
  }

  /// Whether it is a post.
  var isPost: Bool { Self.posts.contains(self) }

  static let posts: [PrivateThing] = [
    .privatePost, .followersPost, .draft, .archivedPost, .postAcrossBlock, .postOfPrivateAccount,
  ]

  /// Its name in the name of a request: `a private post`.
  var name: String {
    switch self {
    case .privatePost: "a private post"
    case .followersPost: "a followers-only post"
    case .draft: "a draft"
    case .archivedPost: "an archived post"
    case .postAcrossBlock: "a public post"
    case .postOfPrivateAccount: "a post of a private account"
    case .email: "an e-mail address"
    case .settings: "settings"
    case .bookmarks: "bookmarks"
    case .upload: "an unpublished upload"
    case .video: "a private video"
    case .reel: "a private reel"
    case .capture: "a capture"
    case .profile: "a private profile"
    case .profileBySettings: "a profile with privacy_level private"
    case .followers: "a private account's followers"
    case .following: "whom a private account follows"
    case .likedPosts: "a private account's liked posts"
    case .events: "a private account's events"
    }
  }

  /// Its name in a finding: `alice's private post`.
  var phrase: String {
    switch self {
    case .privatePost: "alice's private post"
    case .followersPost: "alice's followers-only post"
    case .draft: "alice's draft"
    case .archivedPost: "alice's archived post"
    case .postAcrossBlock: "alice's post"
    case .postOfPrivateAccount: "a post of alice, whose account is private,"
    case .email: "alice's e-mail address"
    case .settings: "alice's settings"
    case .bookmarks: "alice's bookmarks"
    case .upload: "alice's unpublished upload"
    case .video: "alice's private video"
    case .reel: "alice's private reel"
    case .capture: "alice's capture"
    case .profile: "private fields of alice's private profile"
    case .profileBySettings: "private fields of alice's profile, which her settings make private,"
    case .followers: "the followers of alice, whose account is private,"
    case .following: "whom alice, whose account is private, follows"
    case .likedPosts: "the liked posts of alice, whose account is private,"
    case .events: "the events of alice, whose account is private,"
    }
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

  /// The reader in the name of a request.
  var name: String {
    switch self {
    case .stranger: "as a stranger"
    case .follower: "as a follower"
    case .blocked: "as a blocked user"
    case .blocking: "as a user who blocks the owner"
    case .nobody: "without a token"
    }
  }

  /// The reader in a finding.
  var phrase: String {
    switch self {
    case .stranger: "bob, a stranger"
    case .follower: "carol, a follower"
    case .blocked: "bob, whom alice blocks"
    case .blocking: "bob, who blocks alice"
    case .nobody: "a caller without a token"
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
