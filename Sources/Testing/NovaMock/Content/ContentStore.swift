import NovaContent
import NovaCore

/// The visibility of a post.
enum PostPrivacy: String, CaseIterable, Sendable {
  case `public`, followers, `private`
}

/// The state of a post.
enum PostStatus: String, CaseIterable, Sendable {
  case published, draft, archived
}

/// A stored post.
struct StoredPost: Sendable, Equatable {
  /// The author's number, assigned by the store.
  fileprivate(set) var author: Int32 = 0
  var privacy = PostPrivacy.public
  var status = PostStatus.published
  var createdAt: Int64
  var updatedAt: Int64
  @ExactText var title = ""
  @ExactText var content: String
  var mediaIDs: [String] = []

  init(_ content: String, at time: Int64) {
    self.content = content
    createdAt = time
    updatedAt = time
  }

  /// Takes over a post of a data set. The store assigns its id and author.
  init(_ post: Post) {
    self.init(post.content, at: post.createdAt)
    updatedAt = post.updatedAt
    title = post.title
    privacy = PostPrivacy(rawValue: post.privacy) ?? .private
    status = PostStatus(rawValue: post.status) ?? .draft
    mediaIDs = post.mediaIds
  }

  /// The post as calls return it.
  func message(id: String, creator: String) -> Post {
    Post(
      id: id, creatorId: creator, content: content, createdAt: createdAt, updatedAt: updatedAt, title: title,
      privacy: privacy.rawValue, status: status.rawValue, mediaIds: mediaIDs)
  }
}

/// Posts with their authors and bookmarks.
///
/// Posts are numbered in the order of their creation, and the id contains the number: `post-1` is number 0. The number
/// of a deleted post is not reused.
struct ContentStore: Sendable {
  private static let ids = CountedID(prefix: "post-")

  private var users = IDTable()
  private var posts: [StoredPost?] = []
  private var authors: [Int32: Author] = [:]
  private var bookmarks = Relation()
  /// The posts that have a media id.
  private var postsOfMedia: [ExactText: [Int32]] = [:]
  /// Who could see the posts that were deleted, for their events.
  private var lastAudiences: [Int32: Audience] = [:]

  private struct Author: Sendable {
    var posts = StampedList()
    var drafts = 0
    var archived = 0
    /// The numbers of published posts that only followers may see.
    var forFollowers = 0
    var secret = 0

    func count(_ status: PostStatus) -> Int {
      switch status {
      case .published: posts.count - drafts - archived
      case .draft: drafts
      case .archived: archived
      }
    }

    /// The number of posts that a circle sees.
    func count(shownTo circle: Circle) -> Int {
      switch circle {
      case .all: count(.published) - secret - forFollowers
      case .followers: count(.published) - secret
      case .owner: posts.count
      }
    }

    mutating func count(_ post: StoredPost, by difference: Int) {
      switch post.status {
      case .draft: drafts += difference
      case .archived: archived += difference
      case .published:
        if post.privacy == .followers { forFollowers += difference }
        if post.privacy == .private { secret += difference }
      }
    }
  }

  // MARK: Posts

  /// Returns the number of the post with an id; nil if there is none.
  func number(_ id: String) -> Int32? {
    guard let number = Self.ids.number(id), Int(number) < posts.count, posts[Int(number)] != nil else { return nil }
    return number
  }

  /// The number of posts. O(n).
  var postCount: Int { posts.count { $0 != nil } }

  var bookmarkCount: Int { bookmarks.count }

  func id(_ number: Int32) -> String { Self.ids.id(number) }

  /// The number of the next post.
  var nextNumber: Int32 { Int32(posts.count) }

  func stored(_ number: Int32) -> StoredPost? { posts[Int(number)] }

  /// Returns only the fields that decide whether a post is shown, and where.
  func visibility(_ number: Int32) -> (status: PostStatus, privacy: PostPrivacy, createdAt: Int64)? {
    guard let status = posts[Int(number)]?.status, let privacy = posts[Int(number)]?.privacy,
      let createdAt = posts[Int(number)]?.createdAt
    else { return nil }
    return (status, privacy, createdAt)
  }

  /// Returns who may see a post, without regard to its author's account; nil if it was deleted.
  func circle(ofPost number: Int32) -> Circle? {
    visibility(number).map { Circle($0.privacy, $0.status) }
  }

  /// Returns who may see a post, or could when it was deleted.
  func audience(ofPost number: Int32) -> Audience {
    guard let circle = circle(ofPost: number), let author = authorID(ofPost: number) else {
      return lastAudiences[number] ?? Audience(owner: "", circle: .owner)
    }
    return Audience(owner: author, circle: circle)
  }

  /// Returns the number of a post's author, for comparisons.
  func author(ofPost number: Int32) -> Int32? { posts[Int(number)]?.author }

  /// Returns the posts that have a media id, of any author.
  func posts(showing media: String) -> [Int32] { postsOfMedia[ExactText(media)] ?? [] }

  /// Returns the id of a post's author.
  func authorID(ofPost number: Int32) -> String? { posts[Int(number)].map { users.id($0.author) } }

  /// Returns the post with a number.
  func post(_ number: Int32) -> Post? {
    posts[Int(number)].map { $0.message(id: id(number), creator: users.id($0.author)) }
  }

  /// Returns the post with an id.
  func post(_ id: String) -> Post? { number(id).flatMap { post($0) } }

  /// Adds a post and returns its number.
  @discardableResult
  mutating func add(_ post: StoredPost, by author: String) -> Int32 {
    let number = Int32(posts.count)
    var post = post
    post.author = users.add(author)
    authors[post.author, default: Author()].posts.append(number, stamp: number)
    authors[post.author]?.count(post, by: 1)
    posts.append(post)
    for media in Set(post.mediaIDs.map { ExactText($0) }) { postsOfMedia[media, default: []].append(number) }
    return number
  }

  mutating func update(_ number: Int32, to post: StoredPost) {
    guard let old = posts[Int(number)] else { return }
    authors[old.author]?.count(old, by: -1)
    authors[old.author]?.count(post, by: 1)
    posts[Int(number)] = post
  }

  /// Deletes a post and every bookmark of it.
  mutating func delete(_ number: Int32) {
    guard let post = posts[Int(number)] else { return }
    lastAudiences[number] = audience(ofPost: number)
    for media in post.mediaIDs { postsOfMedia[ExactText(media)]?.removeAll { $0 == number } }
    authors[post.author]?.posts.remove(stamp: number)
    authors[post.author]?.count(post, by: -1)
    bookmarks.removeAll(target: number)
    posts[Int(number)] = nil
  }

  // MARK: Lists of posts

  /// Returns all posts of an author, whatever their status.
  func postIDs(by author: String) -> StampedList {
    users.number(author).flatMap { authors[$0]?.posts } ?? StampedList()
  }

  /// Returns the number of an author's posts with a status.
  func postCount(by author: String, _ status: PostStatus) -> Int {
    users.number(author).flatMap { authors[$0]?.count(status) } ?? 0
  }

  /// Returns the number of an author's posts that a circle sees.
  func postCount(by author: String, shownTo circle: Circle) -> Int {
    users.number(author).flatMap { authors[$0]?.count(shownTo: circle) } ?? 0
  }

  /// Returns a page of an author's posts that a circle sees, newest first. O(n) in newer posts, unless the circle sees
  /// all posts with the status.
  ///
  /// - Parameter status: nil for any.
  func posts(
    by author: String, _ status: PostStatus? = nil, shownTo circle: Circle, in paging: Paging
  ) -> Paging.Page<Int32> {
    let all = postIDs(by: author)
    let total = postCount(by: author, status, shownTo: circle)
    if total == all.count {
      let list = paging.newestFirst(all)
      return (list.page.map(\.value), list.total, list.hasMore)
    }
    var page: [Int32] = []
    var skip = paging.offset
    // A page after the end reads nothing.
    if skip < total {
      all.newestFirst { entry in
        guard let post = visibility(entry.value), post.status == status ?? post.status,
          circle >= Circle(post.privacy, post.status)
        else { return true }
        if skip > 0 { skip -= 1 } else { page.append(entry.value) }
        return page.count < paging.limit
      }
    }
    return (page, total, paging.hasMore(of: total))
  }

  private func postCount(by author: String, _ status: PostStatus?, shownTo circle: Circle) -> Int {
    switch (status, circle) {
    case (let status?, .owner): postCount(by: author, status)
    case (.draft?, _), (.archived?, _): 0
    case (.published?, _), (nil, _): postCount(by: author, shownTo: circle)
    }
  }

  // MARK: Bookmarks

  /// Returns the posts a user has bookmarked, in the order of the bookmarks.
  func bookmarks(of user: String) -> StampedList { users.number(user).map(bookmarks.targets) ?? StampedList() }

  /// Adds a bookmark; returns false if it exists.
  @discardableResult
  mutating func addBookmark(_ user: String, _ post: Int32) -> Bool { bookmarks.insert(users.add(user), post) }

  /// Removes a bookmark; returns false if there is none.
  @discardableResult
  mutating func removeBookmark(_ user: String, _ post: Int32) -> Bool {
    users.number(user).map { bookmarks.remove($0, post) } ?? false
  }
}
