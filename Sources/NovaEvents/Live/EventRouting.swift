import NovaCore

/// Decides which of a connection's events belong to a subscription.
///
/// The gateway does not say for which topic it sends an event. Most events show it; where several topics of a connection
/// could be meant, the answer is `unknown`, and the subscription asks the gateway for its own events.
struct EventRouting: Sendable {
  enum Match: Sendable {
    case yes, no, unknown
  }

  /// The topics of the connection.
  let connected: Set<EventTopic>
  /// Whether events of topics can come that were removed from the connection a moment ago.
  let mayBringOthers: Bool
  /// The signed-in user, if known.
  let user: String?

  func match(_ event: Event, _ topics: Set<EventTopic>) -> Match {
    // The gateway sends nothing that none of the topics is about.
    if !mayBringOthers, connected.isSubset(of: topics) { return .yes }
    if topics.contains(where: { isAbout($0, event) == .yes }) { return .yes }
    return topics.contains { isAbout($0, event) == .unknown } ? .unknown : .no
  }

  private func isAbout(_ topic: EventTopic, _ event: Event) -> Match {
    let (kind, id) = topic.parts
    guard let noun = Self.nouns[event.noun] else { return .unknown }
    switch kind {
    case "user": return noun.isUsers && event.isAbout(user: id) ? .yes : .no
    case "post": return noun.isPosts && event.postId.hasSameBytes(as: id) ? .yes : .no
    case "feed":
      guard event.kind == .postCreated else { return .no }
      return mayBringOthers || connected.contains { $0 != topic && mayBring($0, event) } ? .unknown : .yes
    case "me":
      guard let user else { return .unknown }
      return event.isAbout(user: user) ? .yes : .no
    default: return .unknown
    }
  }

  /// Whether a new post may come for this topic.
  private func mayBring(_ topic: EventTopic, _ event: Event) -> Bool {
    let (kind, id) = topic.parts
    return switch kind {
    case "user": event.isAbout(user: id)
    case "post": event.postId.hasSameBytes(as: id)
    case "me": user.map(event.isAbout(user:)) ?? true
    default: true
    }
  }

  /// What is known of event types by the part before the dot: whether a user's topic has them, and a post's.
  private static let nouns: [Substring: (isUsers: Bool, isPosts: Bool)] = [
    "follow": (true, false), "profile": (true, false), "post": (true, true), "like": (false, true),
    "comment": (false, true), "share": (false, true), "bookmark": (false, false), "upload": (false, false),
    "something": (false, false),
  ]
}

extension EventTopic {
  fileprivate var parts: (kind: Substring, id: String) {
    let parts = rawValue.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first ?? "", parts.count > 1 ? String(parts[1]) : "")
  }
}

extension Event {
  /// `like` of `like.created`.
  fileprivate var noun: Substring { type.prefix { $0 != "." } }

  fileprivate func isAbout(user: String) -> Bool { subjectId.hasSameBytes(as: user) || actorId.hasSameBytes(as: user) }
}
