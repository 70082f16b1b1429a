/// How a post is shared.
enum ShareType: String, CaseIterable, Sendable {
  case repost, story, dm
}

/// Who has shared which post, and how. Nothing lists the shares, so they are counted and looked up only.
struct ShareStore: Sendable {
  private var sharesOfPosts: [Int32: [Share]] = [:]
  private var sharers: Set<Sharer> = []

  private struct Share: Sendable {
    let user: String
    let type: ShareType
    let time: Int64
  }

  private struct Sharer: Hashable, Sendable {
    let user: String
    let post: Int32
  }

  var count: Int { sharesOfPosts.values.reduce(0) { $0 + $1.count } }

  func count(_ post: Int32) -> Int { sharesOfPosts[post]?.count ?? 0 }

  func isShared(_ post: Int32, by user: String) -> Bool { sharers.contains(Sharer(user: user, post: post)) }

  mutating func add(_ user: String, _ post: Int32, _ type: ShareType, at time: Int64) {
    sharesOfPosts[post, default: []].append(Share(user: user, type: type, time: time))
    sharers.insert(Sharer(user: user, post: post))
  }

  mutating func forget(post: Int32) {
    for share in sharesOfPosts.removeValue(forKey: post) ?? [] { sharers.remove(Sharer(user: share.user, post: post)) }
  }
}
