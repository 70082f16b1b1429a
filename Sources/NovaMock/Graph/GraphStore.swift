/// Who follows, mutes and blocks whom.
///
/// Users are numbered in order of appearance, and each has two lists of numbers, oldest edge first: four bytes an edge
/// and direction, pages without searching. Whether an edge exists is looked up in the shorter of the two lists it would
/// stand in.
struct GraphStore: Sendable {
  private var numbers: [String: Int32] = [:]
  private var ids: [String] = []
  private var followers: [[Int32]] = []
  private var following: [[Int32]] = []
  private var mutes: Set<Pair> = []
  private var blocks: Set<Pair> = []

  private struct Pair: Hashable {
    let from: Int32
    let to: Int32
  }

  /// The users that follow `id`, oldest first, as numbers for ``id(_:)``.
  func followers(of id: String) -> [Int32] { numbers[id].map { followers[Int($0)] } ?? [] }

  /// The users that `id` follows, oldest first, as numbers for ``id(_:)``.
  func following(of id: String) -> [Int32] { numbers[id].map { following[Int($0)] } ?? [] }

  /// The id behind a number.
  func id(_ number: Int32) -> String { ids[Int(number)] }

  func isFollowing(_ follower: String, _ followee: String) -> Bool {
    guard let from = numbers[follower], let to = numbers[followee] else { return false }
    return isFollowing(from, to)
  }

  private func isFollowing(_ from: Int32, _ to: Int32) -> Bool {
    let outgoing = following[Int(from)]
    let incoming = followers[Int(to)]
    return outgoing.count <= incoming.count ? outgoing.contains(to) : incoming.contains(from)
  }

  /// Adds an edge unless it is there.
  mutating func follow(_ follower: String, _ followee: String) {
    let from = number(of: follower)
    let to = number(of: followee)
    guard !isFollowing(from, to) else { return }
    following[Int(from)].append(to)
    followers[Int(to)].append(from)
  }

  mutating func unfollow(_ follower: String, _ followee: String) {
    guard let from = numbers[follower], let to = numbers[followee] else { return }
    following[Int(from)].removeFirst(to)
    followers[Int(to)].removeFirst(from)
  }

  func isMuted(_ muter: String, _ mutee: String) -> Bool { pair(muter, mutee).map(mutes.contains) ?? false }

  mutating func mute(_ muter: String, _ mutee: String) {
    mutes.insert(Pair(from: number(of: muter), to: number(of: mutee)))
  }

  mutating func unmute(_ muter: String, _ mutee: String) {
    if let pair = pair(muter, mutee) { mutes.remove(pair) }
  }

  func isBlocked(_ blocker: String, _ blocked: String) -> Bool { pair(blocker, blocked).map(blocks.contains) ?? false }

  /// Adds a block and removes the follows between the two.
  mutating func block(_ blocker: String, _ blocked: String) {
    blocks.insert(Pair(from: number(of: blocker), to: number(of: blocked)))
    unfollow(blocker, blocked)
    unfollow(blocked, blocker)
  }

  mutating func unblock(_ blocker: String, _ blocked: String) {
    if let pair = pair(blocker, blocked) { blocks.remove(pair) }
  }

  private func pair(_ from: String, _ to: String) -> Pair? {
    guard let from = numbers[from], let to = numbers[to] else { return nil }
    return Pair(from: from, to: to)
  }

  private mutating func number(of id: String) -> Int32 {
    if let number = numbers[id] { return number }
    let number = Int32(ids.count)
    numbers[id] = number
    ids.append(id)
    followers.append([])
    following.append([])
    return number
  }
}

extension [Int32] {
  fileprivate mutating func removeFirst(_ number: Int32) {
    if let index = firstIndex(of: number) { remove(at: index) }
  }
}
