import NovaCore
import NovaEvents

/// A topic of a subscription, as the contract has it, and a list of events in the history.
struct MockTopic: Hashable, Sendable {
  enum Kind: Sendable {
    /// A user's profile, follows, and posts.
    case user
    /// A post's likes, comments, shares, and edits.
    case post
    /// New posts of the users that a user follows.
    case feed
    /// Everything that happens to a user.
    case me
    /// Everything that happens: for the inspector.
    case all
  }

  let kind: Kind
  // By bytes, like all ids.
  @ExactText private(set) var id: String

  static func user(_ id: String) -> MockTopic { MockTopic(kind: .user, id: id) }
  static func post(_ id: String) -> MockTopic { MockTopic(kind: .post, id: id) }
  static func me(_ id: String) -> MockTopic { MockTopic(kind: .me, id: id) }
  static let all = MockTopic(kind: .all, id: "")

  /// The new posts of all users. A feed selects its posts when it is read, because an author can have any number of
  /// followers.
  static let newPosts = MockTopic(kind: .feed, id: "")

  /// Where the topic's events are listed.
  var key: MockTopic { kind == .feed ? .newPosts : self }

  /// The topic on the wire.
  var text: String { kind == .me ? "me" : description }
}

extension MockTopic: CustomStringConvertible {
  /// Unlike clients, the inspector sees whose `me` it is.
  var description: String {
    switch kind {
    case .user: "user:\(id)"
    case .post: "post:\(id)"
    case .feed: id.isEmpty ? "feed" : "feed:\(id)"
    case .me: "me:\(id)"
    case .all: "all"
    }
  }
}

extension MockTopic {
  /// - Parameter caller: the user of the access token.
  init(_ text: String, caller: String?) throws(MockFailure) {
    if text == "me" {
      guard let caller else { throw MockFailure(.unauthenticated, "the topic me requires an access token") }
      self = .me(caller)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let kinds: [Substring: Kind] = ["user": .user, "post": .post, "feed": .feed]
    guard parts.count == 2, !parts[1].isEmpty, let kind = kinds[parts[0]] else {
      throw .invalid("unknown topic \(text.quoted); expected user:<id>, post:<id>, feed:<id>, or me")
    }
    self.init(kind: kind, id: String(parts[1]))
  }
}

extension [MockTopic] {
  /// Reads the topics of a request.
  init(_ texts: [String], caller: String?) throws(MockFailure) {
    let maximum = EventTopic.maximumCount
    guard (1...maximum).contains(texts.count) else {
      throw .invalid("topics must have 1 to \(maximum) values, but has \(texts.count)")
    }
    self = []
    for text in texts {
      let topic = try MockTopic(text, caller: caller)
      if !contains(topic) { append(topic) }
    }
  }
}
