import NovaContent
import NovaCore

/// One call of a case: by whom, for what.
struct VisibilityCall: Sendable {
  let world: VisibilityWorld
  let probe: VisibilityCase
  let item: VisibilityWorld.Item
  let client: APIClient

  /// The id of the user who asks.
  var me: String { world.id(probe.relation) }
  var owner: String { world.owner }

  /// Whether a call finds what it is about. Other failures than NOT_FOUND are results, too: of calls that would change it.
  func isFound(_ body: () async throws -> some Any) async throws -> Bool {
    do {
      _ = try await body()
      return true
    } catch let error as APIError {
      if error.code == .notFound { return false }
      if error.code == .permissionDenied { return true }
      throw error
    }
  }

  /// Whether a call is allowed.
  func isAllowed(_ body: () async throws -> some Any) async throws -> Bool {
    do {
      _ = try await body()
      return true
    } catch let error as APIError where error.code == .permissionDenied {
      return false
    }
  }

  /// The posts of the world that the rule shows to the one who asks, whatever their kind.
  func visiblePosts(_ status: String? = nil) throws -> Set<String> {
    var posts: Set<String> = []
    for privacy in VisibilityCase.privacies {
      for other in VisibilityCase.statuses where other == status ?? other {
        var probe = probe
        (probe.privacy, probe.status) = (privacy, other)
        if probe.showsPost { posts.insert(try world.item(probe).post) }
      }
    }
    return posts
  }
}

/// A call that shows something, or hides it.
struct VisibilityRow: Sendable {
  let name: String
  /// Whether the rule shows it.
  let isVisible: @Sendable (VisibilityCase) -> Bool
  /// Whether the backend does.
  let isShown: @Sendable (VisibilityCall) async throws -> Bool

  init(
    _ name: String, if isVisible: @escaping @Sendable (VisibilityCase) -> Bool,
    isShown: @escaping @Sendable (VisibilityCall) async throws -> Bool
  ) {
    (self.name, self.isVisible, self.isShown) = (name, isVisible, isShown)
  }
}

/// What an RPC has to do with posts, profiles, and media.
enum VisibilityClass: Sendable {
  /// Shows one of them, or what belongs to it.
  case shows([VisibilityRow])
  /// Only for the token's user: ``PermissionTests`` covers it.
  case ownOnly
  /// Shows and changes none of them, or only what the request itself contains.
  case unrelated

  static func shows(_ rows: VisibilityRow...) -> VisibilityClass { .shows(rows) }

  static func post(
    _ name: String, _ isShown: @escaping @Sendable (VisibilityCall) async throws -> Bool
  ) -> VisibilityClass { .shows(VisibilityRow(name, if: \.showsPost, isShown: isShown)) }
}

/// Every RPC of the registry. A new one must be added here, so that someone thinks about what it shows.
enum VisibilityTable {
  static let classes: [String: VisibilityClass] = {
    let parts = [graph, social, content, media, users, events, others]
    return parts.reduce(into: [:]) { $0.merge($1) { _, _ in preconditionFailure("an RPC is classified twice") } }
  }()

  static let others: [String: VisibilityClass] = [
    "auth.Register": .unrelated, "auth.Login": .unrelated, "auth.Refresh": .unrelated, "auth.Logout": .unrelated,
    "auth.VerifyToken": .unrelated,
    "feed.RankPosts": .unrelated, "feed.InvalidateFeedCache": .ownOnly,
    "capture.CreateSomething": .ownOnly, "capture.ListSomethings": .ownOnly, "capture.GetSomething": .ownOnly,
    "capture.UpdateMeaning": .ownOnly, "capture.DeleteSomething": .ownOnly,
    "analytics.RecordEvents": .unrelated,
    "announcements.ListAnnouncements": .unrelated, "announcements.GetAnnouncement": .unrelated,
  ]
}
