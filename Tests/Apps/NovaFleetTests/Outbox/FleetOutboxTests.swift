import NovaCore
import NovaFleet
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import Testing

@Suite(.serialized, .hangLimit) struct FleetOutboxTests {
  @Test func writesAreDeliveredInOrder() async throws {
    let stage = try await OutboxStage()
    for number in 0..<50 { try await stage.like("\(number)", by: "user\(number % 5)", key: "k\(number)") }
    try await stage.deliverAll(by: [stage.replica(), stage.replica()])
    #expect(stage.gateway.effects.count == 50)
    for user in 0..<5 {
      let keys = stage.gateway.effects(of: "user\(user)").map(\.key)
      #expect(keys == (0..<50).filter { $0 % 5 == user }.map { "k\($0)" })
    }
    // Nothing is left over.
    let rows = try await stage.pool.query(
      """
      SELECT (SELECT count(*) FROM nova.outbox_entries) + (SELECT count(*) FROM nova.outbox_subjects)
        + (SELECT count(*) FROM nova.outbox_arrivals) AS rows
      """, [])
    #expect(try rows.first?.value("rows", as: Int64.self) == 0)
  }

  @Test func aWriteBelongsToTheCallersTransaction() async throws {
    let stage = try await OutboxStage()
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await stage.pool.transaction { client in
        try await stage.like("1", by: "ada", in: client)
        throw Stop()
      }
    }
    try await stage.pool.transaction { client in _ = try await stage.like("2", by: "ada", in: client) }
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.map(\.body).filter { $0.contains("\"2\"") }.count == 1)
    #expect(stage.gateway.effects.count == 1)
  }

  @Test func anInsertOfAnyClientIsDelivered() async throws {
    let stage = try await OutboxStage()
    _ = try await stage.pool.query(
      """
      INSERT INTO nova.outbox_entries (subject, rpc, request)
      VALUES ('user:ada at http://localhost:8080', 'social.CreateLike', '{"userId": "ada", "postId": "7"}')
      """, [])
    _ = try await stage.pool.query(
      """
      SELECT nova.enqueue('bob', 'http://localhost:8080', 'social.CreateLike', '{"userId": "bob", "postId": "8"}')
      """, [])
    try await stage.deliverAll(by: [stage.replica()])
    #expect(Set(stage.gateway.effects.map(\.user)) == ["ada", "bob"])
  }

  @Test(arguments: [
    ("social.CreateLke", "{}", "no call that can wait is named social.CreateLke"),
    ("social.CreateLike", "[]", "must be a JSON object"),
    ("social.CreateLike", #"{"postID": "1"}"#, "has no field postID"),
    ("auth.Login", "{}", "no call that can wait"),
  ]) func invalidWritesAreRefusedAtOnce(rpc: String, request: String, reason: String) async throws {
    let stage = try await OutboxStage()
    let error = await #expect(throws: PostgreSQLError.self) {
      _ = try await stage.pool.query(
        "SELECT nova.enqueue('ada', 'http://localhost:8080', $1, $2::text::jsonb)", [.text(rpc), .text(request)])
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func theSameKeyIsTheSameWrite() async throws {
    let stage = try await OutboxStage()
    let first = try await stage.like("1", by: "ada", key: "k")
    let second = try await stage.like("1", by: "ada", key: "k")
    #expect(first == second)
    await #expect(throws: PostgreSQLError.self) { try await stage.like("2", by: "ada", key: "k") }
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.count == 1)
  }

  @Test func laterWritesNameWhatEarlierOnesCreate() async throws {
    let stage = try await OutboxStage()
    try await stage.outbox.enqueue(
      SocialRPC.createComment, CreateCommentRequest(postId: "1", userId: "ada", content: "hello"), user: "ada",
      gateway: OutboxStage.gatewayURL, newID: "local:1")
    try await stage.outbox.enqueue(
      SocialRPC.updateComment, UpdateCommentRequest(commentId: "local:1", userId: "ada", content: "hello, world"),
      user: "ada", gateway: OutboxStage.gatewayURL)
    try await stage.deliverAll(by: [stage.replica()])
    let failures = try await stage.outbox.entries(onlyDead: true).map { $0.failure?.message ?? "" }
    #expect(failures.isEmpty, "\(failures)")
    #expect(stage.gateway.effects.count == 2)
    #expect(stage.gateway.effects.last?.body.contains("local:1") == false)
  }

  @Test func refusedWritesAreDeadLetters() async throws {
    let stage = try await OutboxStage()
    stage.gateway.answerFirst { request in
      String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("\"bad\"")
        ? HTTPResponse(
          status: 400, headers: ["Content-Type": "application/json"],
          body: Array(#"{"code":3,"message":"no such post"}"#.utf8)) : nil
    }
    let id = try await stage.like("bad", by: "ada")
    try await stage.like("good", by: "ada")
    try await stage.deliverAll(by: [stage.replica()])
    let dead = try await stage.outbox.entries(onlyDead: true)
    #expect(dead.map(\.id) == [id])
    #expect(dead.first?.failure != nil)
    #expect(stage.gateway.effects.count == 1)
    try await stage.outbox.edit(id, to: CreateLikeRequest(userId: "ada", postId: "better"))
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.count == 2)
    let next = try await stage.like("bad", by: "ada")
    try await stage.deliverAll(by: [stage.replica()])
    #expect(try await stage.outbox.discard(next) == [next])
    let statistics = try await stage.outbox.statistics()
    #expect(statistics.waiting == 0 && statistics.dead == 0)
  }

  @Test func writesWaitForAToken() async throws {
    let stage = try await OutboxStage()
    try await stage.like("1", by: "ada")
    let isSignedIn = Locked(false)
    let replica = stage.replica(tokens: { identity in
      isSignedIn.withLock { $0 } ? try AccessToken("token-\(identity.user ?? "")") : nil
    })
    let task = Task { await replica.run() }
    try await waitUntil { try await stage.outbox.entries().first?.failure?.code == .unauthorized }
    isSignedIn.withLock { $0 = true }
    try await stage.outbox.wake(OutboxStage.identity("ada"))
    try await waitUntil { stage.gateway.effects.count == 1 }
    task.cancel()
    await task.value
  }

  @Test func theDatabaseIsRestarted() async throws {
    let stage = try await OutboxStage()
    let replicas = [stage.replica(), stage.replica()]
    let tasks = replicas.map { replica in Task { await replica.run() } }
    var accepted = 0
    for round in 0..<3 {
      for number in round * 40..<round * 40 + 40
      where (try? await stage.like("\(number)", by: "user\(number % 4)", key: "\(number)")) != nil { accepted += 1 }
      stage.cluster.kill()
      try stage.cluster.start()
    }
    try await waitUntil { (try? await stage.outbox.statistics().waiting) == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    let bodies = stage.gateway.effects.map(\.body)
    #expect(bodies.count >= accepted)
    #expect(Set(bodies).count == bodies.count)
    let isInOrder = (0..<4).allSatisfy { user in
      let numbers = stage.gateway.effects(of: "user\(user)").compactMap { Int($0.key) }
      return numbers == numbers.sorted()
    }
    FleetOutcome.expect(.restarted, of: .outbox, on: .postgresql, isInOrder ? [.deliveredOnceInOrder] : [])
  }
}
