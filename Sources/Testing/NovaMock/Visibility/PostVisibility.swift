/// Posts, as the viewer of a request sees them. A hidden post is treated like one that does not exist.
extension MockState {
  func shows(post number: Int32, to viewer: Viewer) -> Bool {
    if viewer.seesAll { return true }
    guard let circle = content.circle(ofPost: number), let author = content.authorID(ofPost: number) else {
      return false
    }
    return shows(circle, of: author, to: viewer)
  }

  /// Returns the number of a post that the caller may see; nil if there is none.
  func visiblePost(_ id: String) -> Int32? {
    content.number(id).flatMap { shows(post: $0, to: viewer) ? $0 : nil }
  }

  /// Returns the number of a post that the caller may see.
  func existingPost(_ id: String) throws(MockFailure) -> Int32 {
    guard let number = visiblePost(id) else { throw .missing("post", id) }
    return number
  }

  /// Returns the number of a post whose likes, comments, or shares the caller lists or counts.
  ///
  /// - Returns: nil for a missing post in a call without an access token: it counts as one without any.
  func listedPost(_ id: String) throws(MockFailure) -> Int32? {
    if let number = visiblePost(id) { return number }
    if viewer.seesAll { return nil }
    throw .missing("post", id)
  }

  /// Who may see an existing post, or could when it was deleted.
  func audience(ofPost number: Int32) -> Audience { content.audience(ofPost: number) }

  /// Returns the number of posts that a profile shows. Nobody else learns how many private ones there are.
  func postCount(of user: String, for viewer: Viewer) -> Int {
    if viewer.seesAll || viewer.isOf(user) { return content.postCount(by: user, .published) }
    return content.postCount(by: user, shownTo: .followers)
  }
}

/// Answers for the posts of a list, looking up each author once.
struct ListedPosts {
  private struct Key: Hashable {
    let author: Int32
    let circle: Circle
  }

  private let viewer: Viewer
  private var known: [Key: Bool] = [:]

  init(for viewer: Viewer) { self.viewer = viewer }

  mutating func contains(_ number: Int32, in state: MockState) -> Bool {
    if viewer.seesAll { return true }
    guard let circle = state.content.circle(ofPost: number), let author = state.content.author(ofPost: number) else {
      return false
    }
    let key = Key(author: author, circle: circle)
    if let isShown = known[key] { return isShown }
    let isShown = state.shows(post: number, to: viewer)
    known[key] = isShown
    return isShown
  }
}

extension Paging {
  /// Returns a page of the posts in a list that the caller may see, newest first. O(n) in the list with an access token.
  func visiblePosts(_ list: StampedList, in state: MockState) -> Page<Int32> {
    let viewer = state.viewer
    if viewer.seesAll {
      let all = newestFirst(list)
      return (all.page.map(\.value), all.total, all.hasMore)
    }
    var posts = ListedPosts(for: viewer)
    var visible: [Int32] = []
    list.newestFirst { entry in
      if posts.contains(entry.value, in: state) { visible.append(entry.value) }
      return true
    }
    return inOrder(visible)
  }
}
