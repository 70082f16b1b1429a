/// Stands in for a service in tests: `FakeGraphService`, `FakeSocialService`, …, one for each, generated.
///
/// ```swift
/// let graph = FakeGraphService()
/// graph.createFollow.plays([.fails(APIError(.unavailable, "down")), .returns(CreateFollowResponse(success: true))])
/// let button = FollowButton(on: graph)  // takes `any GraphServiceProtocol`
/// await button.press()
/// #expect(graph.createFollow.requests == [CreateFollowRequest(followerId: "ann", followeeId: "bob")])
/// ```
///
/// Each RPC has a ``FakeRPC`` of its name, which is told what to answer and knows what it was asked. Calls with plain
/// arguments, lists and batches end in these RPCs, as they do on a real service. Nothing is encoded, checked or tried
/// again: what goes over the wire is for stubs and the mock backend.
public protocol FakeService: Sendable {
  /// Every call of this fake, and of others that were given the same log.
  var log: FakeLog { get }
}

extension FakeService {
  /// Every call so far, in order; of all fakes that share the log.
  public var calls: [FakeCall] { log.calls }

  /// Returns once at least `count` calls have come, of all fakes that share the log, and gives them. A call counts when
  /// it comes, not when it is answered.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [FakeCall] { try await log.waitForCalls(count) }

  /// Fails if a call came that nothing was scripted for, which the code under test may have hidden.
  public func verify() throws(UnmetExpectations) { try log.verify() }
}
