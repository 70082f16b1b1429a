import NovaContent
import NovaCore

/// The loaded pages of a tab.
struct PostPages: Sendable, Hashable {
  /// The posts, without duplicates.
  private(set) var posts: [Post] = []
  /// The number of entries of the server's list that the pages cover: the offset of the next page.
  private(set) var covered = 0
  private(set) var hasMore = true
  /// The IDs of the posts, by their bytes.
  private var ids: Set<String> = []
  /// The keys of all items at the positions that the pages cover, including posts that were left out.
  private var keys: Set<Int> = []

  init(_ first: Page<Post>) { append(PageOverlap.Continuation(first, start: 0)) }

  /// Appends the new posts of a page. If the list has changed, the page may repeat posts.
  ///
  /// - Returns: whether the page had new posts.
  @discardableResult
  mutating func append(_ found: PageOverlap.Continuation<Post>) -> Bool {
    let page = found.page
    let new = page.items.filter { ids.add($0.id.byteKey) }
    posts += new
    keys.formUnion(page.keys ?? new.map { ItemIdentity.key(of: $0) })
    // A page that reports more posts, but no new position, counts as the last one.
    hasMore =
      page.hasMore && page.coveredCount > 0 && (found.end > covered || found.isRecovered || page.coveredCount > 1)
    covered = found.isRecovered ? found.end : max(covered, found.end)
    return !new.isEmpty
  }

  /// Whether the item with this key was loaded.
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
