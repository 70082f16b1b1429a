import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaSocial

extension UserWalk {
  private struct RolledBack: Error {}

  /// A write that is sent at once, under a key that the process prints before and after. Then, the user sees it.
  func share() async throws {
    let number = writes.withLock { count in
      count += 1
      return count
    }
    let key = "share-\(arguments.name)-\(me.id)-\(number)"
    var options = try options()
    options.idempotencyKey = key
    FleetMachine.print("sent \(key)")
    _ = try await services.client.call(
      SocialRPC.createShare, .init(userId: me.id, postId: arguments.sharedPost, shareType: "dm"), options: options)
    FleetMachine.print("done \(key)")
    let answer = try await services.client.respond(
      SocialRPC.getShareCount, .init(postId: arguments.sharedPost), options: try self.options())
    let before = shares.withLock { $0 }
    shares.withLock { $0 = max($0, answer.value.count) }
    if answer.value.count <= before {
      report("social.GetShareCount", "shows \(answer.value.count) after \(before) and a share, from \(answer.source)")
    }
  }

  /// A write through the outbox: a row of the application and the call are committed together, or rolled back.
  func enqueue() async throws {
    let isRolledBack = writes.withLock { count in
      count += 1
      return count % 8 == 0
    }
    let (me, services, arguments) = (me, services, arguments)
    do {
      try await services.database.transaction { client in
        // The lock of this row puts the transactions of a user in order.
        let rows = try await client.query(
          "UPDATE walk.counters SET n = n + 1 WHERE user_id = $1 RETURNING n", [.text(me.id)])
        let number: Int64 = try rows.first?.value("n") ?? 0
        let key = isRolledBack ? "rolled-back-\(arguments.name)-\(me.id)-\(number)" : "walk-\(me.id)-\(number)"
        _ = try await client.query(
          "INSERT INTO walk.writes (key, user_id, n, process) VALUES ($1, $2, $3, $4)",
          [.text(key), .text(me.id), .integer(number), .text(arguments.name)])
        let post = number % 2 == 0 ? me.privatePost : arguments.sharedPost
        let mark = post == me.privatePost ? me.privateMark : me.publicMark
        try await services.outbox.enqueue(
          SocialRPC.createComment, CreateCommentRequest(postId: post, userId: me.id, content: "\(mark) \(key)"),
          user: me.id, gateway: services.client.gateway, key: key, in: client)
        if isRolledBack { throw RolledBack() }
      }
    } catch is RolledBack {}
  }
}
