import NovaCore
import NovaEvents

/// A topic of a subscription, as the contract has it.
enum MockTopic: Hashable, Sendable {
  /// A user's profile, follows, and posts.
  case user(String)
  /// A post's likes, comments, shares, and edits.
  case post(String)
  /// New posts of the users that a user follows.
  case feed(String)
  /// Everything that happens to a user.
  case me(String)
  /// Everything that happens: for the inspector.
  case all

  // By bytes, as all ids.
  static func == (left: MockTopic, right: MockTopic) -> Bool {
    switch (left, right) {
    case (.user(let left), .user(let right)), (.post(let left), .post(let right)), (.feed(let left), .feed(let right)),
      (.me(let left), .me(let right)):
      left.hasSameBytes(as: right)
    case (.all, .all): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .user(let id), .post(let id), .feed(let id), .me(let id): hasher.combine(bytesOf: id)
    case .all: hasher.combine(0)
    }
  }

  /// - Parameter caller: the user of the access token.
  init(_ text: String, caller: String?) throws(MockFailure) {
    if text == "me" {
      guard let caller else { throw MockFailure(.unauthenticated, "the topic me requires an access token") }
      self = .me(caller)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let id = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "user" where !id.isEmpty: self = .user(id)
    case "post" where !id.isEmpty: self = .post(id)
    case "feed" where !id.isEmpty: self = .feed(id)
    default:
      throw MockFailure(
        .invalidArgument, "unknown topic \(text.quoted); expected user:<id>, post:<id>, feed:<id>, or me")
    }
  }

  /// Where the topic's events are listed.
  var key: EventKey {
    switch self {
    case .user(let id): .user(id)
    case .post(let id): .post(id)
    case .feed: .newPosts
    case .me(let id): .me(id)
    case .all: .all
    }
  }

  /// The topic on the wire.
  var text: String {
    switch self {
    case .user(let id): "user:\(id)"
    case .post(let id): "post:\(id)"
    case .feed(let id): "feed:\(id)"
    case .me: "me"
    case .all: "all"
    }
  }
}

extension [MockTopic] {
  /// Reads the topics of a request.
  init(_ texts: [String], caller: String?) throws(MockFailure) {
    let maximum = EventTopic.maximumCount
    guard (1...maximum).contains(texts.count) else {
      throw MockFailure(.invalidArgument, "topics must have 1 to \(maximum) values, but has \(texts.count)")
    }
    self = []
    for text in texts {
      let topic = try MockTopic(text, caller: caller)
      if !contains(topic) { append(topic) }
    }
  }
}

/// A list of events that share a property.
enum EventKey: Hashable, Sendable {
  case user(String)
  case post(String)
  case me(String)
  /// The new posts of all users. A feed selects its own when it is read, because an author can have any number of
  /// followers.
  case newPosts
  /// All events.
  case all

  // By bytes, as all ids.
  static func == (left: EventKey, right: EventKey) -> Bool {
    switch (left, right) {
    case (.user(let left), .user(let right)), (.post(let left), .post(let right)), (.me(let left), .me(let right)):
      left.hasSameBytes(as: right)
    case (.newPosts, .newPosts), (.all, .all): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .user(let id):
      hasher.combine(0)
      hasher.combine(bytesOf: id)
    case .post(let id):
      hasher.combine(1)
      hasher.combine(bytesOf: id)
    case .me(let id):
      hasher.combine(2)
      hasher.combine(bytesOf: id)
    case .newPosts: hasher.combine(3)
    case .all: hasher.combine(4)
    }
  }
}

extension EventKey: CustomStringConvertible {
  /// The topic that has the list. Unlike clients, the inspector sees whose `me` it is.
  var description: String {
    switch self {
    case .user(let id): "user:\(id)"
    case .post(let id): "post:\(id)"
    case .me(let id): "me:\(id)"
    case .newPosts: "feed"
    case .all: "all"
    }
  }
}

/// A position in the events of a backend, written as `<epoch>:<offset>`.
struct EventPosition: Hashable, Sendable, CustomStringConvertible {
  let epoch: String
  /// The number of the event, counted from 1; 0 before the first.
  let offset: Int

  var description: String { "\(epoch):\(offset)" }
}

extension EventPosition {
  /// Reads a position; nil for any other text.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let offset = Int(digits) else { return nil }
    self.init(epoch: String(text[..<colon]), offset: offset)
  }
}
