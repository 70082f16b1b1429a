import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// `nova outbox`.
@Suite(.hangLimit) struct OutboxCommandTests {
  @Test func whatWaitsIsListedAndShown() async throws {
    let desk = try await OfflineDesk()
    let post = try await desk.nova("post", "create", "Written on a train.", "--offline", "-o", "ids")
    let id = try #require(post.lines.first)
    #expect(id.hasPrefix("local:") && post.errors.hasPrefix("not sent yet"), "\(post)")
    #expect(try await desk.nova("like", id, "--offline").status == 0)
    let entries = try await desk.entries()
    #expect(entries.map { $0["rpc"]?.stringValue } == ["content.CreatePost", "social.CreateLike"])
    #expect(entries.allSatisfy { $0["state"] == .string("waiting") && $0["attempts"] == .number("0") }, "\(entries)")
    #expect(entries.allSatisfy { $0["created_at"]?.integerValue ?? 0 > 1_700_000_000 && $0["error"] == .null })
    #expect(try await desk.nova("outbox", "list", "-o", "ids").lines == ["1", "2"])
    #expect(entries.map { $0["about"] } == [.string("posts/mock-user-id"), .string("Post/\(id)")], "\(entries)")
    #expect(try await desk.nova("outbox", "list", "--fields", "id,state").lines == ["1\twaiting", "2\twaiting"])
    let request = try await desk.nova("outbox", "show", "1")
    #expect(try request.json["content"] == .string("Written on a train."), "\(request)")
    let unknown = try await desk.nova("outbox", "show", "7")
    #expect(unknown.status == 5 && unknown.errors.hasPrefix("nova: not found: change 7 in the outbox\n"), "\(unknown)")
    let blocked = try await desk.nova("outbox", "discard", "1", "--yes")
    #expect(blocked.status == 1 && blocked.errors.contains("--cascade"), "\(blocked)")
    let discarded = try await desk.nova("outbox", "discard", "1", "--cascade", "--yes")
    #expect(
      discarded.status == 0
        && discarded.errors == "discarded 2 changes: content.CreatePost #1 and social.CreateLike #2\n", "\(discarded)")
    #expect(try await desk.entries().isEmpty)
  }

  @Test func whatIsSentTakesEffectOnce() async throws {
    let desk = try await OfflineDesk()
    let id = try #require(try await desk.nova("post", "create", "Hello.", "--offline", "-o", "ids").lines.first)
    #expect(try await desk.nova("comment", "create", id, "First!", "--offline").status == 0)
    let flush = try await desk.nova("outbox", "flush", "-o", "ndjson")
    #expect(flush.output == #"{"sent_count":2,"refused_count":0,"waiting_count":0}"# + "\n", "\(flush)")
    #expect(try await desk.nova("outbox", "flush").errors == "sent 0 changes\n")
    let posts = try await desk.nova("posts", "--limit", "2", "-o", "json")
    let first = try #require(try posts.json["posts"]?.elements?.first)
    #expect(first["content"] == .string("Hello."), "\(posts)")
    let comments = try await desk.nova("comments", first["id"]?.stringValue ?? "", "-o", "json")
    #expect(try comments.json["comments"]?.elements?.map { $0["content"] } == [.string("First!")], "\(comments)")
  }

  @Test func whatIsRefusedStaysUntilItIsDropped() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "no-such-post", "--offline").status == 0)
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 5, "\(flush)")
    #expect(flush.errors.hasPrefix("sent 0 changes, 1 refused\nnova: 1 change was refused: "), "\(flush)")
    let entry = try #require(try await desk.entries().first)
    #expect(entry["state"] == .string("refused") && entry["error_code"] == .string("notFound"), "\(entry)")
    #expect(entry["error"]?.stringValue?.hasPrefix("not found") == true, "\(entry)")
    let again = try await desk.nova("outbox", "flush")
    #expect(again.status == 0 && again.errors.contains("1 change was refused earlier"), "\(again)")
    #expect(try await desk.nova("outbox", "retry", "1").status == 5)
    #expect(try await desk.nova("outbox", "retry", "--all", "-o", "json").json["refused_count"] == .number("1"))
    let drop = try await desk.nova("outbox", "discard", "1", "--yes")
    #expect(drop.status == 0 && drop.errors == "discarded social.CreateLike #1\n", "\(drop)")
    #expect(try await desk.nova("outbox", "discard", "1", "--yes").status == 5)
  }

  @Test func aPairThatCancelsOutIsDropped() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("is-following", "user-0007", "--cache", "network-first").output == "false\n")
    #expect(try await desk.nova("follow", "user-0007", "--offline").status == 0)
    let unfollow = try await desk.nova("unfollow", "user-0007", "--offline")
    #expect(unfollow.errors == "not sent: it undoes a change that waited; both are dropped\n", "\(unfollow)")
    #expect(try await desk.entries().isEmpty)
  }

  @Test func theOutboxNeedsAUser() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    // The change stays, for when the user is back.
    #expect(try await desk.nova("logout").status == 0)
    for command in [["list"], ["flush"], ["retry", "--all"], ["retry", "1"]] {
      let run = try await desk.run(["outbox"] + command)
      #expect(run.status == 4 && run.errors.hasPrefix("nova: not signed in at "), "\(run)")
      #expect(run.errors.contains("`nova outbox list --all`"), "\(run)")
    }
    let like = try await desk.nova("like", "post-2", "--as", "mock-user-id", "--offline")
    #expect(like.status == 4 && like.errors.contains("nova login"), "\(like)")
    let login = try await desk.run(["login", "bruce@nova.social", "--password-stdin"], input: "mock-password\n")
    #expect(login.status == 0, "\(login)")
    #expect(try await desk.nova("outbox", "flush").errors == "sent 1 change\n")
  }

  @Test func anEmptyListHasNothingLeftOut() async throws {
    let desk = try await OfflineDesk()
    let screen = try await desk.screen("outbox", "list", columns: 40)
    #expect(screen.last == "0 changes" && !screen.joined().contains("left out"), "\(screen)")
  }

  @Test func aDroppedChangeIsAskedAbout() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    let terminal = try PseudoTerminal(
      ["outbox", "discard", "1", "--base-url", desk.server.url], showsErrors: true, readsKeys: true,
      environment: ["HOME": desk.folder.path])
    try await terminal.wait(for: "Discard change 1 (social.CreateLike)? [y/N] ")
    try terminal.type("n\n")
    #expect(try await terminal.status() == 1)
    #expect(try await desk.entries().count == 1)
  }

  /// What another user has left, or this one at another gateway, is not sent, but can be found and dropped.
  @Test func theChangesOfOthersAreCountedAndListed() async throws {
    let desk = try await OfflineDesk()
    let token = ["NOVA_TOKEN": "token-of-somebody"]
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    let other = try await desk.run(["follow", "ada", "user-0007", "--offline"], environment: token)
    #expect(other.status == 0, "\(other)")
    #expect(try await desk.nova("outbox", "list", "-o", "ids").lines == ["1"])
    #expect(try await desk.nova("outbox", "list", "-o", "ids", "--all").lines == ["1", "2"])
    let list = try await desk.nova("outbox", "list", "--all", "--fields", "id,user_id,gateway")
    #expect(list.lines == ["1\tmock-user-id\t\(desk.server.url)/", "2\t-\t\(desk.server.url)/"], "\(list)")
    #expect(list.errors == "2 changes\n", "\(list)")
    for columns: UInt16 in [120, 40] {
      let screen = try await desk.screen("outbox", "list", columns: columns)
      let text = screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(text.hasSuffix("1 change of another sign-in: nova outbox list --all"), "\(screen)")
    }
    #expect(try await desk.nova("outbox", "show", "2").json["followee_id"] == .string("user-0007"))
    let retry = try await desk.nova("outbox", "retry", "2")
    #expect(
      retry.status == 4 && retry.errors.hasPrefix("nova: cannot send change 2: it was made by a token"), "\(retry)")
    #expect(try await desk.nova("outbox", "flush").errors == "sent 1 change\n")
    #expect(try await desk.nova("logout").status == 0)
    #expect(try await desk.nova("outbox", "list", "-o", "ids", "--all").lines == ["2"])
    #expect(try await desk.nova("outbox", "discard", "2", "--yes").status == 0)
    #expect(try await desk.nova("outbox", "list", "-o", "ids", "--all").lines.isEmpty)
  }

  @Test func aFileThatCannotBeUsedIsTheReason() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    let count = desk.server.requestCount
    try FileManager.default.createDirectory(atPath: "\(desk.store)/outbox.lock", withIntermediateDirectories: true)
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 1 && flush.errors.hasPrefix("sent 0 changes, 1 still waiting\n"), "\(flush)")
    #expect(flush.errors.contains("nova: not all was sent: "), "\(flush)")
    #expect(flush.errors.components(separatedBy: "outbox.lock").count == 2, "\(flush)")
    #expect(desk.server.requestCount == count)
  }

  @Test func whatNeedsARefusedChangeIsBlocked() async throws {
    let desk = try await OfflineDesk()
    let comment = try await desk.nova("comment", "create", "no-such-post", "First!", "--offline", "-o", "ids")
    let id = try #require(comment.lines.first)
    #expect(try await desk.nova("comment", "edit", id, "Second!", "--offline").status == 0)
    #expect(try await desk.nova("outbox", "flush").status == 5)
    let flush = try await desk.nova("outbox", "flush")
    #expect(flush.status == 1, "\(flush)")
    #expect(flush.errors.contains("nova: #2 waits for #1, which was refused\n"), "\(flush)")
    #expect(flush.errors.contains("`nova outbox discard 1 --cascade`"), "\(flush)")
    let list = try await desk.nova("outbox", "list")
    #expect(list.errors == "2 changes\n#2 waits for #1, which was refused: retry or discard #1\n", "\(list)")
    let discard = try await desk.nova("outbox", "discard", "1", "--yes")
    #expect(
      discard.errors.hasSuffix(
        "creates what social.UpdateComment #2 (blocked by #1) needs\n      Drop them all with --cascade.\n"),
      "\(discard)")
    #expect(try await desk.entries().map { $0["state"] } == [.string("refused"), .string("blocked")])
  }
}
