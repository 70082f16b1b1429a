import NovaCore

/// The caller.
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

/// The result for each caller: nil if the call succeeds, otherwise the status of the refusal.
struct PermissionRule: Sendable {
  private(set) var refusals: [Caller: GRPCStatus]

  /// Everyone, except callers with an invalid token.
  static let open = PermissionRule(refusals: [.forger: .unauthenticated, .departed: .unauthenticated])

  /// Everyone, with any token.
  static let tokenIgnored = PermissionRule(refusals: [:])

  /// No one.
  static let denied = open.refusing([.nobody] + Caller.users, with: .permissionDenied)

  /// Everyone, including callers with the token of a closed session: logging out twice succeeds.
  static let openToTheDeparted = PermissionRule(refusals: [.forger: .unauthenticated])

  /// Of the callers with a token, only these. The mock requires no token.
  static func only(_ callers: Caller...) -> PermissionRule {
    open.refusing(Caller.users.filter { !callers.contains($0) }, with: .permissionDenied)
  }

  /// Only these; all others get NOT_FOUND.
  static func hiddenFromAll(but callers: Caller...) -> PermissionRule {
    open.refusing(([.nobody] + Caller.users).filter { !callers.contains($0) }, with: .notFound)
  }

  /// Everyone but these, for whom it does not exist.
  static func hidden(from callers: Caller...) -> PermissionRule { open.hidden(from: callers) }

  /// The rule, without those for whom it does not exist.
  func hidden(from callers: [Caller]) -> PermissionRule { refusing(callers, with: .notFound) }

  /// Everyone but these.
  static func all(but callers: Caller...) -> PermissionRule { open.refusing(callers, with: .permissionDenied) }

  /// Everyone with a token.
  static let signedIn = open.refusing([.nobody], with: .unauthenticated)

  private func refusing(_ callers: [Caller], with status: GRPCStatus) -> PermissionRule {
    var rule = self
    for caller in callers { rule.refusals[caller] = status }
    return rule
  }
}
