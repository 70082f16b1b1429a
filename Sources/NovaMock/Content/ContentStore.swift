import NovaContent

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
  var title = ""
  var content: String
  var mediaIDs: [String] = []

  init(_ content: String, at time: Int64) {
    self.content = content
    createdAt = time
    updatedAt = time
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

  private struct Author: Sendable {
    var posts = StampedList()
    var drafts = 0
    var archived = 0

    func count(_ status: PostStatus) -> Int {
      switch status {
      case .published: posts.count - drafts - archived
      case .draft: drafts
      case .archived: archived
      }
    }

    mutating func count(_ status: PostStatus, by difference: Int) {
      if status == .draft { drafts += difference }
      if status == .archived { archived += difference }
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

  /// Returns only the fields that decide whether a post is shown.
  func visibility(_ number: Int32) -> (status: PostStatus, privacy: PostPrivacy, createdAt: Int64)? {
    guard let status = posts[Int(number)]?.status, let privacy = posts[Int(number)]?.privacy,
      let createdAt = posts[Int(number)]?.createdAt
    else { return nil }
    return (status, privacy, createdAt)
  }

  /// Returns the id of a post's author.
  func authorID(ofPost number: Int32) -> String? { posts[Int(number)].map { users.id($0.author) } }

  /// Returns the post with a number.
  func post(_ number: Int32) -> Post? {
    guard let post = posts[Int(number)] else { return nil }
    return Post(
      id: id(number), creatorId: users.id(post.author), content: post.content, createdAt: post.createdAt,
      updatedAt: post.updatedAt, title: post.title, privacy: post.privacy.rawValue, status: post.status.rawValue,
      mediaIds: post.mediaIDs)
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
    authors[post.author]?.count(post.status, by: 1)
    posts.append(post)
    return number
  }

  mutating func update(_ number: Int32, to post: StoredPost) {
    guard let old = posts[Int(number)] else { return }
    authors[old.author]?.count(old.status, by: -1)
    authors[old.author]?.count(post.status, by: 1)
    posts[Int(number)] = post
  }

  /// Deletes a post and every bookmark of it.
  mutating func delete(_ number: Int32) {
    guard let post = posts[Int(number)] else { return }
    authors[post.author]?.posts.remove(stamp: number)
    authors[post.author]?.count(post.status, by: -1)
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

  /// Returns a page of an author's posts with one status, newest first. O(n) in newer posts, unless all have the
  /// status.
  func posts(by author: String, _ status: PostStatus, offset: Int, limit: Int) -> [Int32] {
    let all = postIDs(by: author)
    if postCount(by: author, status) == all.count {
      return all.newestFirst(offset: offset, limit: limit).map(\.value)
    }
    var page: [Int32] = []
    var skip = offset
    all.newestFirst { entry in
      guard posts[Int(entry.value)]?.status == status else { return true }
      if skip > 0 { skip -= 1 } else { page.append(entry.value) }
      return page.count < limit
    }
    return page
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
