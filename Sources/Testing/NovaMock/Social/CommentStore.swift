/// A stored comment.
struct StoredComment: Sendable {
  let post: Int32
  let author: String
  /// The number of the comment it replies to.
  let parent: Int32?
  var content: String
  let createdAt: Int64
  var updatedAt: Int64
  /// Its position in the order of changes.
  fileprivate(set) var changeStamp: Int32 = 0

  init(post: Int32, author: String, parent: Int32? = nil, content: String, at time: Int64) {
    self.post = post
    self.author = author
    self.parent = parent
    self.content = content
    createdAt = time
    updatedAt = time
  }
}

/// Comments and the replies to them.
///
/// They are numbered in the order of their creation, and the id contains the number, as with posts. Each post has two
/// lists, by creation and by last change, so that reading a page needs no sorting.
struct CommentStore: Sendable {
  private var ids = CountedID(prefix: "comment-")
  private var comments: [StoredComment?] = []
  private var byCreation: [Int32: StampedList] = [:]
  private var byChange: [Int32: StampedList] = [:]
  private var replies: [Int32: [Int32]] = [:]
  private var nextChangeStamp: Int32 = 0

  /// The number of comments. O(n).
  var count: Int { comments.count { $0 != nil } }

  func count(_ post: Int32) -> Int { byCreation[post]?.count ?? 0 }

  /// Returns a post's comments in the order of their creation.
  func byCreation(_ post: Int32) -> StampedList { byCreation[post] ?? StampedList() }

  /// Returns a post's comments in the order of their last change.
  func byChange(_ post: Int32) -> StampedList { byChange[post] ?? StampedList() }

  func id(_ number: Int32) -> String { ids.id(number) }

  func stored(_ number: Int32) -> StoredComment? { comments[Int(number)] }

  /// Returns the number of the comment with an id; nil if there is none.
  func number(_ id: String) -> Int32? {
    guard let number = ids.number(id), Int(number) < comments.count, comments[Int(number)] != nil else {
      return nil
    }
    return number
  }

  /// Adds a comment and returns its number.
  ///
  /// - Parameter id: a custom id from a data set, before any comment without one. Default: the next id.
  @discardableResult
  mutating func add(_ comment: StoredComment, id: String? = nil) -> Int32 {
    if let id { ids.give(id) }
    let number = Int32(comments.count)
    comments.append(comment)
    byCreation[comment.post, default: StampedList()].append(number, stamp: number)
    if let parent = comment.parent { replies[parent, default: []].append(number) }
    stampChange(of: number, in: comment.post)
    return number
  }

  mutating func change(_ number: Int32, to content: String, at time: Int64) {
    guard let comment = comments[Int(number)] else { return }
    comments[Int(number)]?.content = content
    comments[Int(number)]?.updatedAt = time
    byChange[comment.post]?.remove(stamp: comment.changeStamp)
    stampChange(of: number, in: comment.post)
  }

  private mutating func stampChange(of number: Int32, in post: Int32) {
    comments[Int(number)]?.changeStamp = nextChangeStamp
    byChange[post, default: StampedList()].append(number, stamp: nextChangeStamp)
    nextChangeStamp += 1
  }

  /// Deletes a comment, the replies to it, the replies to those, and so on, and returns them.
  @discardableResult
  mutating func delete(_ number: Int32) -> [(number: Int32, comment: StoredComment)] {
    var doomed = [number]
    var deleted: [(Int32, StoredComment)] = []
    while let next = doomed.popLast() {
      doomed += replies.removeValue(forKey: next) ?? []
      // A reply may already be deleted, but its parent's list of replies still contains it.
      guard let comment = comments[Int(next)] else { continue }
      byCreation[comment.post]?.remove(stamp: next)
      byChange[comment.post]?.remove(stamp: comment.changeStamp)
      comments[Int(next)] = nil
      deleted.append((next, comment))
    }
    return deleted
  }

  mutating func forget(post: Int32) {
    byChange[post] = nil
    byCreation.removeValue(forKey: post)?.newestFirst { entry in
      comments[Int(entry.value)] = nil
      replies[entry.value] = nil
      return true
    }
  }
}
