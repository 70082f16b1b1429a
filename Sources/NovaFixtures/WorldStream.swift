public import NovaAnnouncements
public import NovaContent
public import NovaSocial
public import NovaUsers

/// Everything of one kind in a world, one after the other, made while it is read. It can be read any number of times.
public struct WorldStream<Element: Sendable>: Sendable, AsyncSequence {
  private let count: Int
  private let elements: @Sendable (Int) -> [Element]

  /// - Parameters:
  ///   - count: how many groups there are.
  ///   - elements: what is in a group: the likes of a post, for example.
  init(count: Int, elements: @escaping @Sendable (Int) -> [Element]) {
    self.count = count
    self.elements = elements
  }

  public func makeAsyncIterator() -> Iterator { Iterator(count: count, elements: elements) }

  /// Reads a stream. It ends early when the task is cancelled, and lets other tasks have their turns.
  public struct Iterator: AsyncIteratorProtocol {
    private let count: Int
    private let elements: @Sendable (Int) -> [Element]
    private var group = 0
    private var rest: ArraySlice<Element> = []

    init(count: Int, elements: @escaping @Sendable (Int) -> [Element]) {
      self.count = count
      self.elements = elements
    }

    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// The next one, without leaving the actor that asks: a change of threads takes longer than most elements.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while rest.isEmpty {
        guard group < count, !Task.isCancelled else { return nil }
        if group & 255 == 255 { await Task.yield() }
        rest = elements(group)[...]
        group += 1
      }
      return rest.popFirst()
    }
  }
}

extension World {
  /// Every user.
  public var users: WorldStream<UserProfile> { WorldStream(count: size.users) { [user(at: $0)] } }
  /// Every follow, by follower.
  public var follows: WorldStream<Follow> { WorldStream(count: size.users) { follows($0) } }
  /// Every post, by author, in the order of their numbers.
  public var posts: WorldStream<Post> { WorldStream(count: postCount) { [post(at: $0)] } }
  /// Every like, by post.
  public var likes: WorldStream<Like> { WorldStream(count: postCount) { likes(ofPostAt: $0) } }
  /// Every comment, by post, the oldest first.
  public var comments: WorldStream<Comment> { WorldStream(count: postCount) { comments(ofPostAt: $0) } }
  /// Every announcement.
  public var announcements: WorldStream<Announcement> {
    WorldStream(count: announcementCount) { [announcement(at: $0)] }
  }
}
