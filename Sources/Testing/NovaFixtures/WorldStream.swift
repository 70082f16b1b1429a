public import NovaAnnouncements
public import NovaContent
public import NovaSocial
public import NovaUsers

/// All values of one kind in a world, computed while you iterate. You can iterate any number of times.
public struct WorldStream<Element: Sendable>: Sendable, AsyncSequence {
  /// The number of groups.
  fileprivate let count: Int
  /// Returns the elements of a group, for example the likes of a post.
  fileprivate let elements: @Sendable (Int) -> [Element]

  public func makeAsyncIterator() -> Iterator { Iterator(count: count, elements: elements) }

  /// Iterates over a stream. It ends early if the task is cancelled, and yields to other tasks.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let count: Int
    fileprivate let elements: @Sendable (Int) -> [Element]
    fileprivate var group = 0
    fileprivate var rest: ArraySlice<Element> = []

    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// Returns the next element without leaving the caller's actor: switching threads takes longer than most elements.
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
  /// All users.
  public var users: WorldStream<UserProfile> { WorldStream(count: size.users) { [user(at: $0)] } }
  /// All follows, by follower.
  public var follows: WorldStream<Follow> { WorldStream(count: size.users) { follows($0) } }
  /// All posts, by author, in the order of their numbers.
  public var posts: WorldStream<Post> { WorldStream(count: postCount) { [post(at: $0)] } }
  /// All likes, by post.
  public var likes: WorldStream<Like> { WorldStream(count: postCount) { likes(ofPostAt: $0) } }
  /// All comments, by post, oldest first.
  public var comments: WorldStream<Comment> { WorldStream(count: postCount) { comments(ofPostAt: $0) } }
  /// All announcements.
  public var announcements: WorldStream<Announcement> {
    WorldStream(count: announcementCount) { [announcement(at: $0)] }
  }
}
