import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaSocial
import NovaUsers

extension ContractScenario {
  static let events = [eventsOfAPost, eventRules]

  private static let eventsOfAPost = ContractScenario(
    "events.list", summary: "What happens to a post is listed in order, once, and behind a position."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: ada)
    let topic = "post:\(post.id)"
    let start = try await ada.events.listEvents(.init(topics: [topic]))
    await run.step("nothing behind now") { start.events.isEmpty && start.isComplete && !start.hasMore }.expect(true)
    for _ in 1...2 { _ = try await bea.social.createLike(.init(userId: bea.id, postId: post.id)) }
    _ = try await bea.social.createComment(.init(postId: post.id, userId: bea.id, content: "Good."))
    _ = try await bea.social.deleteLike(.init(userId: bea.id, postId: post.id))
    let page = try await ada.events.listEvents(.init(topics: [topic], after: start.nextAfter))
    await run.step("the types") { page.events.map(\.type) }
      .expect(["like.created", "comment.created", "like.deleted"])
    await run.step("the counts") { page.events.map { $0.counts["like_count"] ?? -1 } }.expect([1, -1, 0])
    await run.step("who and where") {
      page.events.allSatisfy { $0.actorId == bea.id && $0.subjectId == ada.id && $0.postId == post.id }
    }.expect(true)
    await run.step("one of three") {
      let first = try await ada.events.listEvents(.init(topics: [topic], after: start.nextAfter, limit: 1))
      return first.events == Array(page.events.prefix(1)) && first.hasMore
    }.expect(true)
    await run.step("the author's own") {
      let mine = try await ada.events.listEvents(.init(topics: ["me"], after: start.nextAfter))
      return mine.events.filter { $0.postId == post.id }.map(\.type)
    }.expect(["like.created", "comment.created", "like.deleted"])
    await run.step("the first of a stream") {
      let stream = try await ada.events.streamEvents(.init(topics: [topic], after: start.nextAfter))
      // Over gRPC, signs of life are events, too.
      for try await event in stream where !["", "heartbeat"].contains(event.type) { return event.type }
      return "none"
    }.expect("like.created")
  }

  private static let eventRules = ContractScenario(
    "events.rules", summary: "Topics have one of the contract's forms, and a private user's are for followers."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    for topic in ["everything", "user:", "posts:1"] {
      await run.step("the topic \(topic)", fails: .invalidArgument) {
        _ = try await ada.unchecked.events.listEvents(.init(topics: [topic]))
      }
      await run.step("a stream of \(topic)", fails: .invalidArgument) {
        _ = try await ada.unchecked.events.streamEvents(.init(topics: [topic]))
      }
    }
    _ = try await ada.users.updateUserProfile(.init(userId: ada.id, isPrivate: true))
    run.later { _ = try await ada.users.updateUserProfile(.init(userId: ada.id, isPrivate: false)) }
    await run.step("a stranger", fails: .permissionDenied) {
      _ = try await bea.events.listEvents(.init(topics: ["user:\(ada.id)"]))
    }
    await run.step("her own") { try await ada.events.listEvents(.init(topics: ["user:\(ada.id)"])).isComplete }
      .expect(true)
  }
}
