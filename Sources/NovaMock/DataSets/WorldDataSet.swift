import NovaAuth
public import NovaFixtures
import NovaMedia
import NovaSocial

extension MockDataSet {
  /// What a ``NovaFixtures/World`` says, all of it and nothing else, in the world's order, with its ids and times.
  ///
  /// The backend's own seed decides nothing here but the key that tokens are signed with. The accounts have no passwords:
  /// nobody logs in to them, and without a token `user-1` is who captures. New accounts can be registered.
  ///
  /// ```swift
  /// let world = try World(seed: Seed(42), users: 1_000)
  /// let backend = MockBackend(dataSet: .world(world))
  /// ```
  ///
  /// Unlike the world it costs memory, and time at the start, for everything there is.
  ///
  /// - Parameter world: what decides everything.
  public static func world(_ world: World) -> MockDataSet {
    let size = world.size
    let sizes = [size.users, size.followsPerUser, size.postsPerUser, size.likesPerPost, size.commentsPerPost]
    let name = "world(\(world.seed),\(sizes.map(String.init).joined(separator: ",")))"
    return MockDataSet(name: name) { _ in WorldDataSet(world).state() }
  }
}

/// Builds ``MockDataSet/world(_:)``.
struct WorldDataSet {
  let world: World

  init(_ world: World) { self.world = world }

  var users: Range<Int> { 0..<world.size.users }

  func state() -> MockState {
    var state = MockState()
    state.sampleUser = world.userID(at: 0)
    addUsers(to: &state)
    addGraph(to: &state)
    addPosts(to: &state)
    addReactions(to: &state)
    addMedia(to: &state)
    addCaptures(to: &state)
    return state
  }

  private func addUsers(to state: inout MockState) {
    for index in users {
      state.users.add(world.user(at: index))
      state.users.set(world.settings(at: index))
      let account = world.account(at: index)
      state.auth.set(
        Account(
          userID: account.id, email: account.email, username: account.username, createdAt: account.createdAt,
          password: .unmatched, isEmailConfirmed: account.isActive))
    }
  }

  private func addGraph(to state: inout MockState) {
    let pairs = users.flatMap(world.follows).sorted { left, right in
      // Of two at the same time the one with the lower number is the newer in the world's lists.
      (left.createdAt, right.follower, right.followee) < (right.createdAt, left.follower, left.followee)
    }.map { (source: Int32($0.follower), target: Int32($0.followee)) }
    state.graph = GraphStore(users: users.map(world.userID), follows: pairs)
    for user in users {
      let id = world.userID(at: user)
      for other in world.blocked(byUserAt: user) { state.graph.block(id, world.userID(at: other)) }
      for other in world.muted(byUserAt: user) { state.graph.mute(id, world.userID(at: other)) }
    }
  }

  private func addMedia(to state: inout MockState) {
    for user in users { for upload in world.uploads(ofUserAt: user) { state.media.restore(upload) } }
    // Lists of these go over all users, so that it is the time that decides.
    for video in users.flatMap(world.videos).sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
      state.media.restore(video)
    }
    for reel in users.flatMap(world.reels).sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
      state.media.restore(StoredReel(finished: reel))
    }
  }

  private func addCaptures(to state: inout MockState) {
    for user in users { for something in world.somethings(ofUserAt: user) { state.capture.restore(something) } }
    state.announcements = (0..<world.announcementCount).map(world.announcement)
  }
}
