import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// An outbox in a folder of its own, with a fake gateway and a clock that only tests advance.
final class OutboxFixture: Sendable {
  let folder: TemporaryFolder
  let clock: ManualClock
  let gateway: FakeGateway
  let connectivity: Connectivity
  let outbox: Outbox
  private let keys: Locked<Int>

  /// - Parameter other: an outbox whose folder, clock and keys are shared, as a later process does.
  init(after other: OutboxFixture? = nil, clock: ManualClock? = nil) throws {
    let folder = try other?.folder ?? TemporaryFolder()
    let clock = clock ?? other?.clock ?? ManualClock()
    let keys = other?.keys ?? Locked(0)
    (self.folder, self.clock, self.keys) = (folder, clock, keys)
    connectivity = Connectivity(clock: clock, random: { 0.5 })
    gateway = FakeGateway(connectivity)
    outbox = Outbox(
      directory: folder.path, caller: gateway, host: gateway, clock: clock,
      makeKey: {
        keys.withLock { count in
          count += 1
          return "new-key-\(count)"
        }
      }, random: { 0.5 })
  }

  @discardableResult func enqueue(
    _ request: any ProtoMessage, identity: Identity = .me, key: String? = nil, newID: String? = nil,
    attempted: Bool = false, wouldChange: Bool? = nil
  ) async throws -> EnqueuedWrite {
    let number = keys.withLock { count in
      count += 1
      return count
    }
    return try await outbox.enqueue(
      identity: identity, rule: try Self.rule(of: request), request: request, key: key ?? "key-\(number)", newID: newID,
      attempted: attempted, wouldChange: wouldChange)
  }

  static func rule(of request: any ProtoMessage) throws -> WriteRule {
    try #require(OfflineRules.writes.first { $0.rpc.requestType == type(of: request) })
  }

  func like(_ post: String, user: String = "me") -> CreateLikeRequest { CreateLikeRequest(userId: user, postId: post) }
  func unlike(_ post: String, user: String = "me") -> DeleteLikeRequest {
    DeleteLikeRequest(userId: user, postId: post)
  }
  func comment(_ text: String, on post: String = "p1", replyTo parent: String = "") -> CreateCommentRequest {
    CreateCommentRequest(postId: post, userId: "me", content: text, parentCommentId: parent)
  }
  func update(_ comment: String, to text: String) -> UpdateCommentRequest {
    UpdateCommentRequest(commentId: comment, userId: "me", content: text)
  }

  /// The names of the waiting writes.
  var waiting: [String] { outbox.waiting(for: .me).map { Self.name($0) } }

  static func name(_ entry: OutboxEntry) -> String {
    "\(entry.rpc.method) \(FakeGateway.Call.subject(entry.request))"
  }

  /// Waits until a state fits.
  func waitForState(_ isMet: (OutboxState) -> Bool) async -> OutboxState {
    for await state in outbox.states where isMet(state) { return state }
    return outbox.state
  }
}
