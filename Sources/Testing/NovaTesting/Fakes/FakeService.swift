/// A fake of a service for tests. `FakeGraphService`, `FakeSocialService`, and so on are generated, one for each
/// service.
///
/// ```swift
/// let graph = FakeGraphService()
/// graph.createFollow.plays([.fails(APIError(.unavailable, "down")), .returns(CreateFollowResponse(success: true))])
/// let button = FollowButton(on: graph)  // takes `any GraphServiceProtocol`
/// await button.press()
/// #expect(graph.createFollow.requests == [CreateFollowRequest(followerId: "ann", followeeId: "bob")])
/// ```
///
/// Each RPC has a ``FakeRPC`` of the same name, with which you script outcomes and read requests. Convenience methods,
/// lists, and batches call these RPCs, as on a real service. A fake does not encode, validate, or retry; use stubs or
/// the mock backend to test that.
public protocol FakeService: Sendable {
  /// The log of this fake's calls, which several fakes can share.
  var log: FakeLog { get }
}

extension FakeService {
  /// All calls so far of all fakes that share the log, in order.
  public var calls: [FakeCall] { log.calls }

  /// Waits until at least `count` calls of all fakes that share the log have arrived, and returns them. A call counts
  /// when it arrives, not when it completes.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [FakeCall] { try await log.waitForCalls(count) }

  /// Throws if a call had no script. The code under test can hide such an error.
  public func verify() throws(UnmetExpectations) { try log.verify() }
}
