import NovaCore

/// Decides which of a connection's events belong to a subscription.
///
/// The gateway does not report which topic an event was sent for. For most events, that follows from their content. If
/// several topics of the connection are possible, the result is `unknown`, and the subscription lists its own events.
struct EventRouting: Sendable {
  enum Match: Sendable {
    case yes, no, unknown
  }

  /// The topics of the connection.
  let connected: Set<EventTopic>
  /// Whether events of topics may still arrive that were removed from the connection a moment ago.
  let mayBringOthers: Bool
  /// The signed-in user, if known.
  let user: String?

  func match(_ event: Event, _ topics: Set<EventTopic>) -> Match {
    // The gateway sends only events about at least one of the connection's topics.
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

  /// Whether a new post may have been sent for this topic.
  private func mayBring(_ topic: EventTopic, _ event: Event) -> Bool {
    let (kind, id) = topic.parts
    return switch kind {
    case "user": event.isAbout(user: id)
    case "post": event.postId.hasSameBytes(as: id)
    case "me": user.map(event.isAbout(user:)) ?? true
    default: true
    }
  }

  /// For the part of an event's type before the dot: whether such events belong to a user's topic, and to a post's.
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
  /// The part of the type before the dot, such as `like` in `like.created`.
  fileprivate var noun: Substring { type.prefix { $0 != "." } }

  fileprivate func isAbout(user: String) -> Bool { subjectId.hasSameBytes(as: user) || actorId.hasSameBytes(as: user) }
}
