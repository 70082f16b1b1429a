import NovaCore
import NovaTesting

/// Counts what happens, so that things that happen at once can be told from those that do not.
final class WalkTime: Sendable {
  private let count = Locked(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Whose the calls of a seat could be, over time.
final class WalkOwners: Sendable {
  private struct Span {
    let owner: String
    let began: Int
    var ended: Int?
  }

  private let spans: Locked<[Span]>
  private let time: WalkTime

  /// - Parameter owner: whose calls they are from the beginning on.
  init(_ owner: String, _ time: WalkTime) {
    spans = Locked([Span(owner: owner, began: 0)])
    self.time = time
  }

  /// A change begins: from now on it can have happened.
  func begin(_ owner: String) {
    let now = time.next()
    spans.withLock { $0.append(Span(owner: owner, began: now)) }
  }

  /// The last change has happened for certain.
  func finish() {
    let now = time.next()
    spans.withLock { spans in
      for index in spans.indices.dropLast() where spans[index].ended == nil { spans[index].ended = now }
    }
  }

  /// Whose calls they could be at some time from `began` to `ended`.
  func possible(from began: Int, to ended: Int) -> Set<String> {
    spans.withLock { spans in
      Set(spans.filter { $0.began <= ended && $0.ended ?? .max >= began }.map(\.owner))
    }
  }
}

/// Tokens whose user changes without a sign-out, and which the gateway refuses at times.
final class WalkTokens: TokenProvider {
  private struct State {
    var user: String
    var number = 0
  }

  private let state: Locked<State>
  let owners: WalkOwners

  init(_ user: String, _ time: WalkTime) {
    state = Locked(State(user: user))
    owners = WalkOwners(user, time)
  }

  /// The token as it is sent.
  var text: String { state.withLock { "provided.\($0.user).\($0.number)" } }

  func change(to user: String) {
    owners.begin(user)
    state.withLock { $0.user = user }
    owners.finish()
  }

  func currentUser() async throws -> String? { state.withLock { $0.user } }

  func accessToken() async throws -> AccessToken? { try token() }

  func replacement(for refused: AccessToken) async throws -> AccessToken? {
    await Task.yield()
    state.withLock { $0.number += 1 }
    return try token()
  }

  private func token() throws -> AccessToken {
    let state = state.withLock { $0 }
    return try AccessToken("provided.\(state.user).\(state.number)", user: state.user)
  }
}
