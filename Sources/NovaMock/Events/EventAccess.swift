import NovaCore
import NovaEvents

/// Who reads events, and what they may see now.
struct EventReader: Sendable {
  /// The user of the access token; nil without one.
  let user: String?
  /// Nil without an access token.
  var claims: AccessTokenClaims?
  /// Whether everything is visible: for the inspector.
  var seesAll = false

  init(_ claims: AccessTokenClaims?) { (user, self.claims) = (claims?.session.user, claims) }

  init(user: String?) { self.user = user }

  static let inspector: EventReader = {
    var reader = EventReader(nil)
    reader.seesAll = true
    return reader
  }()

  /// Why the reader may not read a topic; nil if that is allowed.
  func refusal(of topic: MockTopic, in state: MockState) -> MockFailure? {
    if mayRead(topic, in: state) { return nil }
    return MockFailure(.permissionDenied, "the topic \(topic.text.quoted) is private")
  }

  func mayRead(_ topic: MockTopic, in state: MockState) -> Bool {
    switch topic {
    case .me(let id): seesAll || id == user
    case .user(let id), .feed(let id): maySee(id, in: state)
    case .post(let id):
      // The events of a deleted post know their audience.
      state.content.number(id).map { isIn(state.audience(ofPost: $0), state) } ?? true
    case .all: seesAll
    }
  }

  func isIn(_ audience: EventAudience, _ state: MockState) -> Bool {
    if seesAll || audience.author == user { return true }
    switch audience.circle {
    case .author: return false
    case .followers: return maySee(audience.author, in: state) && follows(audience.author, state)
    case .all: return maySee(audience.author, in: state)
    }
  }

  /// Whether an event that the topic's list has is one of the topic, and visible.
  func sees(_ event: PendingEvent, in topic: MockTopic, _ state: MockState) -> Bool {
    guard topic.includes(event, in: state) else { return false }
    return topic.isMine || event.audience.map { isIn($0, state) } ?? true
  }

  /// Whether a user's profile is visible. A call without a token is that of a stranger.
  private func maySee(_ other: String, in state: MockState) -> Bool {
    if seesAll || other == user { return true }
    if state.isPrivate(other), !follows(other, state) { return false }
    return user.map { !state.graph.isBlockedEitherWay($0, other) } ?? true
  }

  private func follows(_ other: String, _ state: MockState) -> Bool {
    user.map { state.graph.isFollowing($0, other) } ?? false
  }
}

extension MockTopic {
  /// Whether everything in the topic is visible to its reader.
  var isMine: Bool { if case .me = self { true } else { false } }

  /// Whether an event that the topic's list has is one of the topic now.
  func includes(_ event: PendingEvent, in state: MockState) -> Bool {
    guard case .feed(let user) = self else { return true }
    if let feeds = event.feeds { return feeds.contains(user) }
    let author = event.event.actorId
    return state.graph.isFollowing(user, author) && !state.graph.isHidden(author, from: user)
  }
}
