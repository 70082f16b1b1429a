import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// `--offline`, `--cache` and the setting `offline_mode`.
@Suite(.hangLimit) struct OfflineCommandTests {
  /// The whole way: read, lose the server, read and write without it, and send when it is back.
  @Test func workGoesOnWithoutTheServer() async throws {
    let folder = try TemporaryFolder()
    let server = try await Serve()
    func nova(_ arguments: String..., input: String = "") async throws -> RunResult {
      try await ProgramRun(
        arguments + ["--base-url", server.url, "--timeout", "20s"], input: input, environment: ["HOME": folder.path]
      ).result()
    }
    let login = try await nova("login", "bruce@nova.social", "--password-stdin", input: "mock-password\n")
    #expect(login.status == 0, "\(login)")
    let list = try await nova("followers", "--limit", "3", "--cache", "network-first", "-o", "json")
    #expect(list.status == 0, "\(list)")
    server.run.signal(SIGTERM)
    _ = try await server.run.result()

    #expect(try await nova("followers", "--limit", "3").status == 6)
    let fallback = try await nova("followers", "--limit", "3", "--cache", "network-first", "-o", "json")
    #expect(fallback.status == 0 && fallback.output == list.output && fallback.errors.isEmpty, "\(fallback)")
    let offline = try await nova("followers", "--limit", "3", "--offline", "-o", "json")
    #expect(offline.output == list.output, "\(offline)")
    let like = try await nova("like", "post-1", "--offline")
    #expect(like.status == 0 && like.output.isEmpty, "\(like)")
    #expect(like.errors == "not sent yet: it waits in the outbox (nova outbox list)\n", "\(like)")
    let follow = try await nova("follow", "user-0007", "--cache", "network-first")
    #expect(follow.status == 0 && follow.errors == like.errors, "\(follow)")
    #expect(try await nova("is-following", "user-0007", "--offline").output == "true\n")
    let flush = try await nova("outbox", "flush")
    #expect(flush.status == 6 && flush.errors.hasPrefix("sent 0 changes, 2 still waiting\n"), "\(flush)")
    #expect(flush.errors.contains("nova: cannot reach the gateway: "), "\(flush)")

    let next = try await server.startAgain()
    defer { next.signal(SIGTERM) }
    let sent = try await nova("outbox", "flush")
    #expect(sent.status == 0 && sent.output.isEmpty && sent.errors == "sent 2 changes\n", "\(sent)")
    #expect(try await nova("outbox", "list", "-o", "ids").output.isEmpty)
    #expect(try await nova("likes", "post-1", "-o", "ids", "--limit", "1").output == "mock-user-id\n")
    #expect(try await nova("is-following", "user-0007").output == "true\n")
  }

  @Test func withoutTheOptionsNothingIsStored() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("followers", "--limit", "1").status == 0)
    #expect(try await desk.nova("like", "post-1").status == 0)
    #expect(try await desk.nova("outbox", "list").errors == "0 changes\n")
    #expect(try await desk.nova("outbox", "flush").errors == "sent 0 changes\n")
    #expect(!FileManager.default.fileExists(atPath: desk.store))
  }

  @Test func theStoreIsPrivate() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("followers", "--limit", "1", "--cache", "network-first").status == 0)
    for (path, mode) in [(desk.store, 0o700), ("\(desk.store)/cache.db", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
  }

  @Test func theOptionSendsNothing() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-first").status == 0)
    let count = desk.server.requestCount
    #expect(try await desk.nova("--offline", "post", "show", "post-1").lines.first == "ID          post-1")
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "cache-first").status == 0)
    #expect(try await desk.nova("--cache", "cache-only", "post", "show", "post-1").status == 0)
    let call = try await desk.nova("call", "content.GetPost", #"{"post_id": "post-1"}"#, "--offline")
    #expect(try call.json["post"]?["id"] == .string("post-1"), "\(call)")
    #expect(try await desk.nova("whoami", "--offline", "-o", "ids").output == "mock-user-id\n")
    #expect(try await desk.nova("like", "post-1", "--offline").status == 0)
    #expect(desk.server.requestCount == count)
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-only").status == 0)
    #expect(desk.server.requestCount > count)
  }

  /// A script must not take it for a post that does not exist.
  @Test func whatIsNotStoredIsNoConnection() async throws {
    let desk = try await OfflineDesk()
    for options in [["--offline"], ["--cache", "cache-only"]] {
      let run = try await desk.run(["post", "show", "post-1"] + options)
      #expect(run.status == 6 && run.output.isEmpty, "\(run)")
      #expect(run.errors.hasPrefix("nova: not stored: the answer of content.GetPost\n"), "\(run)")
      #expect(run.errors.contains("--cache network-first"), "\(run)")
    }
    let setting = try await desk.nova("post", "show", "post-1", environment: ["NOVA_OFFLINE": "1"])
    #expect(setting.status == 6 && setting.errors.contains("NOVA_OFFLINE=0"), "\(setting)")
    // Names are a supplement.
    #expect(try await desk.nova("followers", "--ids", "--limit", "2", "--cache", "network-first").status == 0)
    let list = try await desk.nova("followers", "--limit", "2", "--offline")
    #expect(list.status == 0 && list.lines.count == 2, "\(list)")
    #expect(
      list.errors.hasPrefix("cannot show user names: not stored: the answer of user.GetUserProfilesByIds\n"), "\(list)")
  }

  @Test func theSettingLetsChangesWait() async throws {
    let desk = try await OfflineDesk()
    let count = desk.server.requestCount
    let like = try await desk.nova("like", "post-1", environment: ["NOVA_OFFLINE": "1"])
    #expect(like.status == 0 && like.errors.hasPrefix("not sent yet"), "\(like)")
    let flush = try await desk.nova("outbox", "flush", environment: ["NOVA_OFFLINE": "1"])
    #expect(flush.status == 6 && flush.errors.hasPrefix("nova: cannot send: offline mode is on\n"), "\(flush)")
    for command in [["flush"], ["retry", "--all"]] {
      let run = try await desk.run(["outbox"] + command + ["--offline"])
      #expect(run.status == 6 && run.errors.contains("Leave out --offline"), "\(run)")
    }
    #expect(desk.server.requestCount == count)
    #expect(try await desk.nova("outbox", "flush").status == 0)
  }

  @Test func whatNeedsTheGatewaySaysSo() async throws {
    let desk = try await OfflineDesk()
    let path = try desk.folder.write("text", to: "note.txt")
    let count = desk.server.requestCount
    let login = try await desk.run(
      ["login", "bruce@nova.social", "--password-stdin", "--offline"], input: "mock-password\n")
    #expect(login.status == 6 && login.errors.contains("cannot call auth.Login offline"), "\(login)")
    let upload = try await desk.nova("upload", path, "-q", "--offline")
    #expect(upload.status == 6 && upload.errors.contains("cannot call media.StartUpload offline"), "\(upload)")
    #expect(upload.errors.contains("without --offline"), "\(upload)")
    let token = try await desk.nova("like", "post-1", "--offline", environment: ["NOVA_TOKEN": "token-of-somebody"])
    #expect(token.status == 6 && token.errors.contains("--as <user-id>"), "\(token)")
    #expect(desk.server.requestCount == count)
  }

  @Test(arguments: [
    (["like", "a", "post-1", "--offline", "--mock"], "--offline cannot be combined with mock data"),
    (["posts", "a", "--cache", "cache-first", "--mock"], "--cache cache-first cannot be combined with mock data"),
    (["posts", "a", "--offline", "--cache", "network-first"], "--offline and --cache network-first"),
    (["posts", "a", "--cache", "always"], "network-first"), (["outbox", "list", "--mock"], "no changes wait"),
    (["outbox", "retry"], "missing <id>"), (["outbox", "retry", "1", "--all"], "--all and an ID"),
    (["outbox", "discard", "1"], "--yes"),
  ])
  func whatCannotBeMeantIsRefused(_ arguments: [String], _ part: String) async throws {
    let run = try await ProgramRun(arguments).result()
    #expect(run.status == 64 && run.errors.contains(part), "\(run)")
  }

  @Test func aPlaceIsNeededOnlyIfAskedFor() async throws {
    let asked = try await ProgramRun(["posts", "a", "--offline"], environment: ["HOME": ""]).result()
    #expect(asked.status == 1 && asked.errors.contains("NOVA_STATE_DIRECTORY"), "\(asked)")
    let set = try await ProgramRun(["posts", "a"], environment: ["HOME": "", "NOVA_OFFLINE": "1"]).result()
    #expect(set.status == 6 && set.errors.contains("offline mode is on: nothing is sent"), "\(set)")
    let unusable = ["NOVA_OFFLINE": "1", "NOVA_STATE_DIRECTORY": "/dev/null/none"]
    #expect(try await ProgramRun(["posts", "a"], environment: unusable).result().status == 6)
    let created = try await ProgramRun(["posts", "a", "--offline"], environment: unusable).result()
    #expect(created.status == 1 && created.errors.contains("NOVA_STATE_DIRECTORY"), "\(created)")
  }

  @Test func signingOutForgetsTheAnswers() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-first").status == 0)
    #expect(try await storedRecords(desk) == 1)
    #expect(try await desk.nova("logout").status == 0)
    #expect(try await storedRecords(desk) == 0)
  }

  @Test func theCacheCanBeShownAndCleared() async throws {
    let desk = try await OfflineDesk()
    #expect(try await storedRecords(desk) == nil)
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-first").status == 0)
    let info = try await ProgramRun(["cache", "info"], environment: ["HOME": desk.folder.path]).result()
    #expect(info.output.contains("\nOFFLINE STORE  \(desk.store)/cache.db\nRECORDS        1 (1 Post)\n"), "\(info)")
    let unasked = try await ProgramRun(["cache", "clear"], environment: ["HOME": desk.folder.path]).result()
    #expect(unasked.status == 64, "\(unasked)")
    let clear = try await ProgramRun(["cache", "clear", "--yes"], environment: ["HOME": desk.folder.path]).result()
    #expect(clear.status == 0, "\(clear)")
    #expect(clear.errors == "removed 0 entries, 0 B\nremoved the stored answers in \(desk.store)\n", "\(clear)")
    #expect(try await storedRecords(desk) == 0)
  }

  private func storedRecords(_ desk: OfflineDesk) async throws -> Int? {
    let run = try await ProgramRun(["cache", "info", "-o", "json"], environment: ["HOME": desk.folder.path]).result()
    return try run.json["offline_store"]?["record_count"]?.integerValue.map { Int($0) }
  }

  /// Clearing the cache does not require a valid configuration.
  @Test func aBrokenConfigurationKeepsNobodyFromClearing() async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-first").status == 0)
    let config = try desk.folder.write("{", to: "broken.json")
    let other = "\(desk.folder.path)/other"
    let home = ["HOME": desk.folder.path, "NOVA_CONFIG": config]
    let elsewhere = try await ProgramRun(
      ["cache", "info", "-o", "json"], environment: home.merging(["NOVA_STATE_DIRECTORY": other]) { $1 }
    ).result()
    #expect(try elsewhere.status == 0 && elsewhere.json["offline_store"] == nil, "\(elsewhere)")
    #expect(elsewhere.errors.contains("\(other)/offline"), "\(elsewhere)")
    let info = try await ProgramRun(["cache", "info", "-o", "json"], environment: home).result()
    #expect(try info.json["offline_store"]?["record_count"] == .number("1"), "\(info)")
    #expect(info.errors.contains("warning: the configuration cannot be used"), "\(info)")
    #expect(info.errors.contains(desk.store) && info.errors.contains("broken.json"), "\(info)")
    #expect(try await ProgramRun(["cache", "clear", "--yes"], environment: home).result().status == 0)
    #expect(try await storedRecords(desk) == 0)
  }

  @Test(
    arguments: [
      ([], 1, nil), ([.seconds(7)], 0, "from the cache, 7 s old"),
      ([.seconds(7), .seconds(301)], 0, "from the cache, 5 min old"),
      ([.seconds(7200)], 3, "partly from the cache, 2 h old"), ([.seconds(864_000)], 0, "from the cache, 10 days old"),
      ([.seconds(7), nil], 0, "from the cache, changed here since it was read"),
    ] as [([Duration?], Int, String?)])
  func theOldestAnswerCounts(ages: [Duration?], fetched: Int, line: String?) {
    #expect(StoredAnswers.line(ages: ages, fetchedCount: fetched) == line)
  }

  /// Each in a line of its own that fits.
  @Test(arguments: [120, 40] as [UInt16]) func aTerminalShowsWhereAnswersComeFrom(_ columns: UInt16) async throws {
    let desk = try await OfflineDesk()
    #expect(try await desk.nova("post", "show", "post-1", "--cache", "network-first").status == 0)
    let shown = try await desk.screen("post", "show", "post-1", "--offline", columns: columns)
    let last = try #require(shown.last)
    #expect(last.hasPrefix("from the cache, ") && last.hasSuffix(" s old"), "\(shown)")
    _ = try await desk.nova("like", "post-1", "--offline")
    let list = try await desk.screen("outbox", "list", columns: columns)
    #expect(list.allSatisfy { $0.count <= Int(columns) }, "\(list)")
    #expect(list.first?.hasPrefix("ID  RPC                STATE") == true, "\(list)")
    #expect(list.contains { $0.hasPrefix("1   social.CreateLike  waiting") }, "\(list)")
    let fresh = try await desk.screen("post", "show", "post-1", "--cache", "network-only", columns: columns)
    #expect(fresh.joined(separator: " ").contains("1 change waits in the outbox;"), "\(fresh)")
    #expect(!fresh.contains { $0.contains("from the cache") }, "\(fresh)")
  }

  /// Ctrl-C ends a command at once, whatever the store does.
  @Test func anInterruptedCommandEnds() async throws {
    let folder = try TemporaryFolder()
    let server = try FaultServer([.fault(.hangBeforeHeaders)], then: .lastRepeats)
    defer { server.stop() }
    let like = try ProgramRun(
      ["like", "ada", "post-1", "--cache", "network-first", "--base-url", server.url],
      environment: ["HOME": folder.path, "NOVA_TOKEN": "token-of-somebody"])
    try await waitUntil { server.requestCount > 0 }
    like.signal(SIGINT)
    #expect(try await like.result().status == 130)
  }
}
