import NovaCore
import NovaEvents

/// Who reads events, and what they may see now.
struct EventReader: Sendable {
  let viewer: Viewer
  /// Nil without an access token.
  var claims: AccessTokenClaims?
  /// Whether it is the inspector, which reads all events and counts as no subscriber.
  var isInspector = false

  /// The user of the access token; nil without one.
  var user: String? { viewer.user }

  init(_ claims: AccessTokenClaims?) {
    (viewer, self.claims) = (Viewer(caller: claims?.session.user), claims)
  }

  init(_ viewer: Viewer) { self.viewer = viewer }

  static let inspector: EventReader = {
    var reader = EventReader(.internalCall)
    reader.isInspector = true
    return reader
  }()

  /// Why the reader may not read a topic; nil if that is allowed.
  func refusal(of topic: MockTopic, in state: MockState) -> MockFailure? {
    mayRead(topic, in: state) ? nil : .forbidden("the topic \(topic.text.quoted) is private")
  }

  func mayRead(_ topic: MockTopic, in state: MockState) -> Bool {
    switch topic.kind {
    case .me: user.hasSameBytes(as: topic.id)
    case .user, .feed: state.shows(.all, of: topic.id, to: viewer)
    // For a deleted post, the privacy that it had while it existed decides.
    case .post: state.content.number(topic.id).map { state.shows(post: $0, to: viewer) } ?? true
    case .all: isInspector
    }
  }

  /// Whether an event that the topic's list has is one of the topic, and visible.
  func sees(_ event: PendingEvent, in topic: MockTopic, _ state: MockState) -> Bool {
    topic.includes(event, in: state) && sees(event.subject(isMine: topic.isMine), in: state)
  }

  /// Whether the reader may see events about this: when they happened, and now.
  func sees(_ subject: EventSubject, in state: MockState) -> Bool {
    if let audience = subject.audience, !state.shows(audience, to: viewer) { return false }
    return subject.post.map { state.shows(state.audience(ofPost: $0), to: viewer) } ?? true
  }
}

/// What decides who may see an event. Events of one post follow each other often, and share it.
struct EventSubject: Hashable {
  /// Who could see the event when it happened; nil for everyone who reads the topic.
  let audience: Audience?
  let post: Int32?
}

extension PendingEvent {
  /// - Parameter isMine: whether the event happened to the reader, who may see it whatever the post's privacy was then.
  func subject(isMine: Bool) -> EventSubject { EventSubject(audience: isMine ? nil : audience, post: post) }
}

extension MockTopic {
  /// Whether everything in the topic is visible to its reader.
  var isMine: Bool { kind == .me }

  /// Whether an event that the topic's list has is one of the topic now.
  func includes(_ event: PendingEvent, in state: MockState) -> Bool {
    guard kind == .feed else { return true }
    if let feeds = event.feeds { return feeds.contains(ExactText(id)) }
    let author = event.event.actorId
    guard state.graph.isFollowing(id, author), !state.graph.isHidden(author, from: id) else { return false }
    // A feed shows what its user may see, no matter who reads it.
    return event.audience.map { state.shows($0, to: Viewer(user: id)) } ?? true
  }
}
