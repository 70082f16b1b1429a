import NovaCore

/// Who makes a call.
enum Caller: String, CaseIterable, Sendable {
  /// Without a token.
  case nobody
  /// With a token that is not the backend's.
  case forger
  /// With the actor's token of a session that was closed.
  case departed
  /// Who is named in requests as acting, wrote the comment, and started the uploads.
  case actor
  /// Who wrote the post.
  case author
  /// Whom actor and author have blocked.
  case blocked
  /// Whom the actor follows.
  case friend
  /// Anybody else.
  case stranger

  static let users: [Caller] = [.actor, .author, .blocked, .friend, .stranger]
}

/// What each caller gets: nil when the call is answered, else the status that it is refused with.
struct PermissionRule: Sendable {
  private(set) var refusals: [Caller: GRPCStatus]

  /// Everyone, but for those with a bad token.
  static let open = PermissionRule(refusals: [.forger: .unauthenticated, .departed: .unauthenticated])

  /// Everyone, whatever token comes along.
  static let tokenIgnored = PermissionRule(refusals: [:])

  /// No one.
  static let denied = open.refusing([.nobody] + Caller.users, with: .permissionDenied)

  /// Everyone, and those with the token of a closed session, too: logging out twice is logging out.
  static let openToTheDeparted = PermissionRule(refusals: [.forger: .unauthenticated])

  /// Of those with a token, only these. The mock requires none.
  static func only(_ callers: Caller...) -> PermissionRule {
    open.refusing(Caller.users.filter { !callers.contains($0) }, with: .permissionDenied)
  }

  /// Only these; for all others there is nothing.
  static func hiddenFromAll(but callers: Caller...) -> PermissionRule {
    open.refusing(([.nobody] + Caller.users).filter { !callers.contains($0) }, with: .notFound)
  }

  private func refusing(_ callers: [Caller], with status: GRPCStatus) -> PermissionRule {
    var rule = self
    for caller in callers { rule.refusals[caller] = status }
    return rule
  }
}
