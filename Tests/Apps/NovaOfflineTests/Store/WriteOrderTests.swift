import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// Writes about the same keep their order, whether they are sent at once or wait.
@Suite(.hangLimit) struct WriteOrderTests {
  private let world = OfflineWorld()
  private let ada: OfflineWorld.Program
  private let post: String
  private let held = HeldRequests()

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    let request = CreatePostRequest(creatorId: ada.user.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: ada.user.token).post?.id ?? ""
  }

  private var turns: WriteTurns { get throws { try ada.offline.engine.outbox.turns } }

  private func isLikedAtGateway() throws -> Bool {
    let request = CheckUserLikedRequest(userId: ada.user.id, postId: post)
    return try world.mock.call(SocialRPC.checkUserLiked, request, token: ada.user.token).liked
  }

  /// Sends a like that the gateway is slow to answer.
  private func slowLike(
    _ options: CallOptions = CallOptions()
  ) async -> Task<APIResponse<CreateLikeResponse>, any Error> {
    held.holdFirst(of: ada.transport)
    let like = CreateLikeRequest(userId: ada.user.id, postId: post)
    let task = Task { [client = ada.client] in try await client.respond(SocialRPC.createLike, like, options: options) }
    await held.waitForRequest()
    return task
  }

  private func startUnlike(
    _ options: CallOptions = CallOptions()
  ) async throws -> Task<APIResponse<DeleteLikeResponse>, any Error> {
    let unlike = DeleteLikeRequest(userId: ada.user.id, postId: post)
    let task = Task { [client = ada.client] in
      try await client.respond(SocialRPC.deleteLike, unlike, options: options)
    }
    while try turns.waiterCount == 0 { await Task.yield() }
    return task
  }

  @Test func directWritesDoNotOvertakeEachOther() async throws {
    let like = await slowLike()
    let unlike = try await startUnlike()
    // Others continue.
    _ = try await ada.content.createPost(creatorId: ada.user.id, content: "another")
    #expect(ada.transport.requestCount == 1, "only the post has arrived")
    held.release()
    #expect(try await like.value.source == .network)
    #expect(try await unlike.value.source == .network)
    #expect(try !isLikedAtGateway())
  }

  /// The answer of the like is lost when the unlike has been made: both are sent again in order.
  @Test(arguments: [DeliveryPolicy.automatic, .enqueue])
  func aWriteThatWaitsStaysBehindTheOneInFlight(_ delivery: DeliveryPolicy) async throws {
    try await ada.offline.outbox.stop()
    let like = await slowLike()
    try ada.offline.connectivity.note(APIError.unreachable)
    let unlike = try await startUnlike(CallOptions(delivery: delivery))
    #expect(try await ada.offline.outbox.entries.isEmpty)
    held.release(APIError.lost.transport)
    #expect(try await like.value.source == .outbox)
    #expect(try await unlike.value.source == .outbox)
    let entries = try await ada.offline.outbox.entries
    #expect(entries.map(\.rpc.id) == ["social.CreateLike", "social.DeleteLike"])
    #expect(try await ada.offline.outbox.flush().sent == 2)
    #expect(try !isLikedAtGateway())
  }

  @Test func aWaitingCallCanBeCancelledAndTakesNoLongerThanItMay() async throws {
    let like = await slowLike()
    let unlike = try await startUnlike()
    unlike.cancel()
    #expect(await apiError { try await unlike.value }?.code == .cancelled)
    let late = try await startUnlike(CallOptions(timeout: .seconds(3)))
    let ticking = world.tick()
    #expect(await apiError { try await late.value }?.code == .timeout)
    ticking.cancel()
    await ticking.value
    held.release()
    _ = try await like.value
    #expect(try isLikedAtGateway())
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  @Test func anotherUserDoesNotSendWhatWaited() async throws {
    let bob = try world.newUser("bob")
    let like = await slowLike()
    let unlike = try await startUnlike()
    ada.token.current = try AccessToken(bob.token)
    held.release()
    _ = try await like.value
    #expect(await apiError { try await unlike.value }?.code == .unauthorized)
    #expect(try isLikedAtGateway())
  }

  /// A refused write is tried again while one about the same is being sent.
  @Test func theOutboxWaitsForWhatIsBeingSent() async throws {
    let outbox = try ada.offline.outbox
    await outbox.stop()
    let unlike = DeleteLikeRequest(userId: ada.user.id, postId: post)
    _ = try await ada.client.respond(SocialRPC.deleteLike, unlike, options: CallOptions(delivery: .enqueue))
    world.mock.backend.add(try .call(SocialRPC.deleteLike, answer: DeleteLikeResponse(success: false)))
    #expect(await outbox.flush().refused == 1)
    world.mock.backend.removeStubs()

    let like = await slowLike()
    try await outbox.retryAll()
    #expect(await outbox.flush().sent == 0)
    #expect(await outbox.flush().waiting == 1)
    held.release()
    _ = try await like.value
    #expect(await outbox.flush().sent == 1)
    #expect(try !isLikedAtGateway())
  }

  @Test func anImmediateWriteDoesNotOvertakeWhatWaits() async throws {
    ada.set(.down)
    let like = CreateLikeRequest(userId: ada.user.id, postId: post)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    ada.set(.up)
    let unlike = DeleteLikeRequest(userId: ada.user.id, postId: post)
    let error = await apiError {
      try await ada.client.respond(SocialRPC.deleteLike, unlike, options: CallOptions(delivery: .immediate))
    }
    #expect(error?.code == .failedPrecondition)
    _ = try await ada.offline.outbox.flush()
    _ = try await ada.client.respond(SocialRPC.deleteLike, unlike, options: CallOptions(delivery: .immediate))
    #expect(try !isLikedAtGateway())
  }
}

/// Holds one request until a test releases it.
private final class HeldRequests: Sendable {
  private let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
  private let (ends, end) = AsyncStream.makeStream(of: TransportError?.self)
  private let isFirst = Locked(true)

  /// Holds the next request; those after it pass.
  func holdFirst(of transport: CuttableTransport) {
    isFirst.withLock { $0 = true }
    transport.beforeEach { [self] _ in
      let isHeld = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isHeld else { return }
      arrival.yield()
      for await error in ends {
        if let error { throw error }
        return
      }
    }
  }

  func waitForRequest() async { for await _ in arrived { return } }

  /// Lets it go, or fail.
  func release(_ error: TransportError? = nil) { end.yield(error) }
}
