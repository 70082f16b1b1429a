import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// What `nova` reports when changes are lost, refused, or perhaps sent.
@Suite(.hangLimit) struct OutboxFailureTests {
  private static func json(_ status: Int, _ body: String = "{}") -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  /// Every command says it, whichever finds it, until somebody has dealt with the copy.
  @Test func aDamagedOutboxIsReportedByEveryCommand() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    let path = "\(desk.store)/outbox.db"
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 100))
    try file.close()
    let like = try await desk.nova("like", "post-2", "--offline")
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.store)
    let copy = try #require(
      names.first { $0.hasPrefix("outbox.db.corrupt-") && !$0.hasSuffix("l") && !$0.hasSuffix("m") })
    let warning = "warning: \(path) was damaged: it was moved to \(desk.store)/\(copy); "
    #expect(like.status == 0 && like.errors.contains(warning), "\(like)")
    for command in [
      ["likes", "post-1", "--limit", "1"], ["outbox", "list", "--all"], ["outbox", "show", "1"], ["whoami"],
      ["followers", "--limit", "1", "--cache", "network-first"], ["outbox", "flush"], ["logout"],
    ] {
      let run = try await desk.run(command)
      #expect(run.errors.components(separatedBy: warning).count == 2, "\(command): \(run)")
      #expect(run.status == 0, "\(run)")
    }
    // What could be read was sent, in order.
    #expect(desk.server.requests.filter { $0.url.text.hasSuffix("/like") }.count == 2)
    try FileManager.default.removeItem(atPath: "\(desk.store)/\(copy)")
    #expect(try await desk.nova("likes", "post-1", "--limit", "1").errors.contains("damaged") == false)
  }

  @Test func aLostAnswerIsNotCalledUnsent() async throws {
    let desk = try await OfflineDesk()
    desk.answer(["/like": Self.json(503)])
    let like = try await desk.nova("like", "post-1", "--cache", "network-first", "--timeout", "20s")
    #expect(like.status == 0 && like.errors.hasPrefix("not confirmed: it may have taken effect; "), "\(like)")
    // What never left is not sent.
    let other = try await desk.nova("follow", "user-0007", "--offline")
    #expect(other.errors.hasPrefix("not sent yet: "), "\(other)")
  }

  /// A proxy's answer is no word of the gateway.
  @Test func aProxyThatWantsASignInRefusesNoChange() async throws {
    let desk = try await OfflineDesk()
    desk.answer(["/like": HTTPResponse(status: 407, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))]
    )
    let like = try await desk.nova("like", "post-1", "--cache", "network-first")
    #expect(like.status == 0 && like.errors.hasPrefix("not sent yet: "), "\(like)")
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 6 && flush.errors.hasPrefix("sent 0 changes, 1 still waiting\n"), "\(flush)")
    #expect(flush.errors.contains("the proxy requires a sign-in"), "\(flush)")
    desk.answer([:])
    #expect(try await desk.nova("outbox", "flush").errors == "sent 1 change\n")
  }

  /// As a direct call fails with it.
  @Test(arguments: ["{}", #"{"post":{"content":"Hello.","creator_id":"mock-user-id"}}"#])
  func anAnswerWithoutThePostIsNoDelivery(_ body: String) async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("post", "create", "Hello.", "--offline").status == 0)
    desk.answer(["/post/create": Self.json(200, body)])
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 65 && flush.errors.hasPrefix("sent 0 changes, 1 refused\n"), "\(flush)")
    #expect(try await desk.entries().map { $0["state"] } == [.string("refused")])
    // The key is the same, so that a gateway that has done it does not do it again.
    desk.answer([:])
    #expect(try await desk.nova("outbox", "retry", "--all").status == 0)
    let keys = desk.server.requests.filter { $0.url.text.hasSuffix("/post/create") }.map {
      $0.headers["Idempotency-Key"]
    }
    #expect(keys.count == 2 && Set(keys).count == 1)
  }

  /// The refusal decides, whatever succeeds after it.
  @Test func theExitCodeIsThatOfTheFailure() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "no-such-post", "--offline").status == 0)
    #expect(try await desk.nova("follow", "user-0007", "--offline").status == 0)
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 5 && flush.errors.hasPrefix("sent 1 change, 1 refused\n"), "\(flush)")

    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    #expect(try await desk.nova("unfollow", "user-0007", "--offline").status == 0)
    desk.answer(["/like": Self.json(500)])
    let failing = try await desk.nova("outbox", "flush")
    #expect(failing.status != 0 && failing.errors.hasPrefix("sent 1 change, 1 still waiting\n"), "\(failing)")
    #expect(failing.errors.contains("the server failed"), "\(failing)")
  }

  /// The changes are another sign-in's when the session is over; that is no success.
  @Test(arguments: [["like", "post-1"], ["post", "create", "Hello."]])
  func aSessionThatEndsDuringTheFlushIsAFailure(_ change: [String]) async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.run(change + ["--offline"]).status == 0)
    #expect(try await desk.nova("follow", "user-0007", "--offline").status == 0)
    let refusal = Self.json(401, #"{"code":16,"message":"the session is over"}"#)
    desk.answer([
      "/like": refusal, "/post/create": refusal, "/auth/refresh": refusal, "/follow": refusal, "/auth/verify": refusal,
    ])
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 4 && flush.errors.contains("does not accept the session"), "\(flush)")
    #expect(flush.errors.contains("2 still waiting"), "\(flush)")
  }
}
