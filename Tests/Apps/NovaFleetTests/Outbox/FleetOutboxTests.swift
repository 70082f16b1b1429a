import NovaCore
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaFleet

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

  /// Otherwise, writes about the second record would change the first one.
  @Test(arguments: [false, true]) func aTemporaryIDIsForOneRecord(isDelivered: Bool) async throws {
    let stage = try await OutboxStage()
    func create(key: String) async throws {
      try await stage.outbox.enqueue(
        SocialRPC.createComment, CreateCommentRequest(postId: "1", userId: "ada", content: "hello"), user: "ada",
        gateway: OutboxStage.gatewayURL, key: key, newID: "local:1")
    }
    try await create(key: "k1")
    if isDelivered { try await stage.deliverAll(by: [stage.replica()]) }
    let error = await #expect(throws: PostgreSQLError.self) { try await create(key: "k2") }
    #expect(error?.message == "invalid argument: the temporary ID local:1 was used for another record")
    // The same write.
    try await create(key: "k1")
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.count == 1)
  }

  @Test func idsAreKeptWhileWritesMayNameThem() async throws {
    let stage = try await OutboxStage()
    try stage.cluster.ask(
      """
      INSERT INTO nova.outbox_ids (subject, temporary, real, key, at)
      SELECT 'user:' || name || ' at \(OutboxStage.gatewayURL)/', 'local:1', 'c1', 'k', now() - interval '40 days'
      FROM unnest(ARRAY['ada', 'bob']) AS name
      """)
    try await stage.like("1", by: "ada")
    try await stage.outbox.removeOld(delivered: .zero, refused: nil)
    #expect(try stage.cluster.ask("SELECT subject FROM nova.outbox_ids").hasPrefix("user:ada at"))
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
    let log = CapturedLog()
    let replica = stage.replica(log: log)
    try await stage.deliverAll(by: [replica])
    #expect((replica.delivered, replica.refused) == (1, 1))
    let warnings = log.lines.filter { $0.hasPrefix("warning ") }
    #expect(
      warnings.count == 1 && warnings[0].hasPrefix("warning social.CreateLike #\(id) was refused: "), "\(warnings)")
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

  /// A gateway that no replica can have as its base URL is refused, and nothing is queued.
  @Test(arguments: [
    ("localhost:8080", false), ("ftp://localhost:8080", false), ("http://", false), ("HTTP://localhost:8080", false),
    ("http://localhost:8080", true), ("https://api.nova.social/base", true), ("grpc://a:1,b:2", true), ("mock:", true),
  ]) func gatewaysAreURLs(gateway: String, isAccepted: Bool) async throws {
    let stage = try await OutboxStage()
    let statements = [
      "SELECT nova.enqueue('ada at home', $1, 'social.CreateLike', '{}')",
      "INSERT INTO nova.outbox_entries (subject, rpc, request) VALUES ('user:ada at ' || $1, 'social.CreateLike', '{}')",
    ]
    for statement in statements {
      do {
        _ = try await stage.pool.query(statement, [.text(gateway)])
        #expect(isAccepted)
      } catch let error as PostgreSQLError {
        let reason = "the gateway must begin with http:// or https://, got \(gateway)"
        #expect(!isAccepted && error.message.contains(reason), "\(error)")
      }
    }
    #expect(try await stage.outbox.statistics().waiting == (isAccepted ? 2 : 0))
  }

  /// As in an outbox in a file, also if the list begins after the refused write.
  @Test func whatNeedsARefusedWriteIsBlocked() async throws {
    let stage = try await OutboxStage()
    stage.gateway.answerFirst { request in
      String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("\"bad\"")
        ? HTTPResponse(
          status: 400, headers: ["Content-Type": "application/json"],
          body: Array(#"{"code":3,"message":"no such post"}"#.utf8)) : nil
    }
    func enqueue(_ user: String, commentingOn post: String) async throws -> [Int64] {
      let id = try await stage.outbox.enqueue(
        SocialRPC.createComment, CreateCommentRequest(postId: post, userId: user, content: "hello"), user: user,
        gateway: OutboxStage.gatewayURL, newID: "local:1")
      let update = try await stage.outbox.enqueue(
        SocialRPC.updateComment, UpdateCommentRequest(commentId: "local:1", userId: user, content: "hello, world"),
        user: user, gateway: OutboxStage.gatewayURL)
      return [id, update]
    }
    // The same temporary ID of another user blocks nothing.
    var ids = try await enqueue("ada", commentingOn: "bad")
    let others = try await enqueue("bob", commentingOn: "1")
    // A reply to the comment, and what is about the reply.
    ids.append(
      try await stage.outbox.enqueue(
        SocialRPC.createComment,
        CreateCommentRequest(postId: "1", userId: "ada", content: "hello", parentCommentId: "local:1"), user: "ada",
        gateway: OutboxStage.gatewayURL, newID: "local:2"))
    ids.append(
      try await stage.outbox.enqueue(
        SocialRPC.updateComment, UpdateCommentRequest(commentId: "local:2", userId: "ada", content: "hello, world"),
        user: "ada", gateway: OutboxStage.gatewayURL))
    let replica = stage.replica { $0.pollInterval = .milliseconds(20) }
    try await replica.drain()
    let states: [OutboxEntry.State] = [.dead] + Array(repeating: .blocked(by: ids[0]), count: 3)
    #expect(try await stage.outbox.entries().map(\.id) == ids && replica.delivered == others.count)
    for first in ids.indices {
      let page = try await stage.outbox.entries(after: ids[first] - 1, limit: 1000)
      #expect(page.map(\.state) == Array(states[first...]))
      #expect(try await stage.outbox.entry(ids[first]).state == states[first])
    }
    let retry = await #expect(throws: FleetOutboxError.self) { try await stage.outbox.retry(ids[2]) }
    #expect(
      retry?.message
        == "#\(ids[2]) waits for #\(ids[0]), which was refused; retry, edit or discard #\(ids[0])")
    let discard = await #expect(throws: FleetOutboxError.self) { try await stage.outbox.discard(ids[2]) }
    #expect(
      discard?.message.hasSuffix("#\(ids[3]) (blocked by #\(ids[0])) needs; discard it first, or all with cascade")
        == true, "\(String(describing: discard))")
    try await stage.outbox.edit(
      ids[0], to: CreateCommentRequest(postId: "1", userId: "ada", content: "hello"))
    #expect(try await stage.outbox.entries().map(\.state) == Array(repeating: .waiting, count: 4))
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
    let log = CapturedLog()
    let replicas = [stage.replica(log: log), stage.replica()]
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
    // An end is only reported after a start.
    let ends = log.lines.filter { $0.contains("the outbox's database can be reached again") }.count
    let starts = log.lines.filter { $0.hasPrefix("warning the outbox's database failed: ") }.count
    #expect(ends <= starts, "\(log.lines)")
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
