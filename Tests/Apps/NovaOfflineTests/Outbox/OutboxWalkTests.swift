import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// Random sequences of everything that can happen, against a gateway that counts.
@Suite(.hangLimit) struct OutboxWalkTests {
  /// The gateway: carries out each key once, and remembers it for a day.
  private final class CountingGateway: Sendable {
    struct State: Sendable {
      /// The texts of comments, in the order in which they were made, by post.
      var comments: [String: [String]] = [:]
      /// The ids of comments by text.
      var ids: [String: String] = [:]
      var likes: Set<String> = []
      var answers: [String: any ProtoMessage] = [:]
      var updates: [String] = []
    }

    let state = Locked(State())

    func perform(_ call: FakeGateway.Call) throws -> any ProtoMessage {
      try state.withLock { state in
        if let answer = state.answers[call.key] { return answer }
        let answer = try Self.perform(call, &state)
        state.answers[call.key] = answer
        return answer
      }
    }

    private static func perform(_ call: FakeGateway.Call, _ state: inout State) throws -> any ProtoMessage {
      switch call.request {
      case let request as CreateCommentRequest:
        // As texts with "!" are refused.
        if request.content.hasSuffix("!") { throw APIError.status(400) }
        let id = "id-\(request.content)"
        state.comments[request.postId, default: []].append(request.content)
        state.ids[request.content] = id
        return CreateCommentResponse(success: true, comment: Comment(id: id, postId: request.postId))
      case let request as UpdateCommentRequest:
        guard request.commentId.hasPrefix("id-") else { throw APIError.status(404) }
        state.updates.append("\(request.commentId)=\(request.content)")
        return UpdateCommentResponse(success: true)
      case let request as CreateLikeRequest:
        state.likes.insert(request.postId)
        return CreateLikeResponse(success: true)
      case let request as DeleteLikeRequest:
        state.likes.remove(request.postId)
        return DeleteLikeResponse(success: true)
      default: throw APIError.status(501)
      }
    }
  }

  /// What must be true in the end.
  private struct Model {
    var comments: [String: [String]] = [:]
    var updates: [String: [String]] = [:]
    var refused: Set<String> = []
    var likes: Set<String> = []
    var number = 0
  }

  @Test(arguments: TestDepth.cases(0..<12 as Range<UInt64>, sample: 4))
  func everyWriteTakesEffectOnceAndInOrder(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let counting = CountingGateway()
    let weather = Locked(SeededGenerator(seed: seed &+ 1000))
    let isCalm = Locked(false)
    var fixture = try OutboxFixture()
    let clock = fixture.clock
    let answer: @Sendable (FakeGateway.Call) async throws -> any ProtoMessage = { call in
      let number = isCalm.withLock { $0 } ? 9 : weather.withLock { $0.next(below: 8) }
      switch number {
      case 0: throw APIError.unreachable
      case 1: throw APIError.status(503)
      case 2:
        _ = try counting.perform(call)
        throw APIError.lost
      case 3: throw APIError.status(401)
      case 4: throw APIError.status(429, headers: ["Retry-After": "3"])
      default: return try counting.perform(call)
      }
    }
    fixture.gateway.answer(answer)
    var model = Model()
    for _ in 0..<150 {
      switch random.next(below: 10) {
      case 0...2:
        model.number += 1
        let post = "p\(random.next(below: 3))"
        let isBad = random.one(in: 10)
        let text = "\(model.number)\(isBad ? "!" : "")"
        try await fixture.enqueue(fixture.comment(text, on: post), newID: "local-\(model.number)")
        if isBad { model.refused.insert(text) } else { model.comments[post, default: []].append(text) }
        if random.one(in: 2) {
          try await fixture.enqueue(fixture.update("local-\(model.number)", to: "u\(model.number)"))
          if !isBad { model.updates["id-\(text)", default: []].append("id-\(text)=u\(model.number)") }
        }
      case 3...5:
        let post = "p\(random.next(below: 3))"
        let isLiked = random.one(in: 2)
        let knows = random.one(in: 2)
        let wouldChange = counting.state.withLock { $0.likes.contains(post) } != isLiked
        // What is known is what the gateway has confirmed; with a lost answer it knows more.
        let isCertain = knows && fixture.outbox.waiting(for: .me).isEmpty
        let request: any ProtoMessage = isLiked ? fixture.like(post) : fixture.unlike(post)
        try await fixture.enqueue(request, wouldChange: isCertain ? wouldChange : nil)
        if isLiked { model.likes.insert(post) } else { model.likes.remove(post) }
      case 6, 7: await fixture.outbox.flush()
      case 8: clock.advance(by: .seconds(random.next(below: 600)))
      default:
        // The process ends, and another one begins.
        if random.one(in: 2) { await fixture.outbox.stop() }
        fixture = try OutboxFixture(after: fixture)
        fixture.gateway.answer(answer)
        await fixture.outbox.load()
      }
    }
    isCalm.withLock { $0 = true }
    let summary = await fixture.outbox.flush()
    #expect(summary.pause == nil)
    let final = counting.state.withLock { $0 }
    #expect(final.comments == model.comments)
    #expect(final.likes == model.likes)
    for (id, expected) in model.updates { #expect(final.updates.filter { $0.hasPrefix("\(id)=") } == expected) }
    let entries = try await fixture.outbox.entries
    #expect(
      Set(entries.filter { $0.state == .dead }.compactMap { ($0.request as? CreateCommentRequest)?.content })
        == model.refused)
    #expect(entries.allSatisfy { $0.state != .waiting })
  }
}
