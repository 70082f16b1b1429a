import NovaContent
import NovaCore

/// The loaded pages of a tab.
struct PostPages: Sendable, Hashable {
  /// The posts, without duplicates.
  private(set) var posts: [Post] = []
  /// The number of entries of the server's list that the pages cover: the offset of the next page.
  private(set) var covered = 0
  private(set) var hasMore = true
  /// By their bytes.
  private var ids: Set<String> = []
  /// What is at the positions that the pages cover, also of posts that were left out.
  private var keys: Set<Int> = []

  init(_ first: Page<Post>) { append(PageOverlap.Continuation(first, start: 0)) }

  /// Appends the new posts of a page. The page repeats posts if the list has changed.
  ///
  /// - Returns: whether the page had new posts.
  @discardableResult
  mutating func append(_ found: PageOverlap.Continuation<Post>) -> Bool {
    let page = found.page
    let new = page.items.filter { ids.add($0.id.byteKey) }
    posts += new
    keys.formUnion(page.keys ?? new.map { ItemIdentity.key(of: $0) })
    // A page without a new position, although there are more, counts as empty.
    hasMore =
      page.hasMore && page.coveredCount > 0 && (found.end > covered || found.isRecovered || page.coveredCount > 1)
    covered = found.isRecovered ? found.end : max(covered, found.end)
    return !new.isEmpty
  }

  /// Whether what is at a position was loaded, by its key.
  func covers(_ key: Int) -> Bool { keys.contains(key) }

  func contains(_ id: String) -> Bool { ids.contains(id.byteKey) }

  /// Inserts a post at the front, where the server lists the latest save or like.
  mutating func insert(_ post: Post) {
    guard ids.add(post.id.byteKey) else { return }
    posts.insert(post, at: 0)
    keys.insert(ItemIdentity.key(of: post))
    covered += 1
  }

  mutating func remove(_ id: String) {
    guard ids.remove(id.byteKey) != nil else { return }
    posts.removeAll { $0.id.hasSameBytes(as: id) }
    covered -= 1
  }
}
