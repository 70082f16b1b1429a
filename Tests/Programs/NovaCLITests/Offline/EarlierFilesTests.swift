import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Every version reads what earlier versions have written: see docs/versions.md.
@Suite struct EarlierFilesTests {
  /// Earlier files, and a server that continues from their state.
  private struct Earlier {
    let files: EarlierFiles
    let serve: Serve

    init(_ version: String) async throws {
      files = try EarlierFiles(version)
      // Soon after they were written, so that the session has not expired.
      serve = try await Serve(["--state", files.path("mock.state"), "--now", "\(try files.time + 60)"])
    }

    func nova(_ arguments: String...) async throws -> RunResult {
      let address = serve.url.dropFirst("http://".count)
      let variables = ["NOVA_CONNECT_TO": "127.0.0.1:18081:\(address)"].merging(files.environment) { $1 }
      return try await ProgramRun(arguments, environment: variables).result()
    }
  }

  @Test func thereAreFiles() { #expect(EarlierFiles.versions.first == "0.1.0") }

  @Test(arguments: EarlierFiles.versions) func settingsAndSessionsAreRead(_ version: String) async throws {
    let earlier = try await Earlier(version)
    let contexts = try await earlier.nova("context", "list", "-o", "ids")
    #expect(contexts.lines == ["local", "staging"], "\(contexts)")
    #expect(try await earlier.nova("context", "current").output == "local\n")
    let approved = try await earlier.nova("config", "trust", "--list")
    #expect(approved.output.hasSuffix("project/APIConfig.json\n"), "\(approved)")
    let whoAmI = try await earlier.nova("whoami", "--template", "{{id}}")
    #expect(whoAmI.output == "mock-user-id\n", "\(whoAmI)")
    if earlier.files.has("config/nova/aliases.json") {
      #expect(try await earlier.nova("alias", "list", "-o", "ids").output == "mine\n")
    }
  }

  /// The like of post-2 is in the state of the server, the writes are in the outbox.
  @Test(arguments: EarlierFiles.versions) func queuedWritesAreSent(_ version: String) async throws {
    let earlier = try await Earlier(version)
    let listed = try await earlier.nova("outbox", "list", "--jq", ".entries[].rpc")
    #expect(listed.lines == ["social.CreateLike", "graph.CreateFollow", "social.CreateComment"], "\(listed)")
    let sent = try await earlier.nova("outbox", "flush")
    #expect(sent.status == 0, "\(sent)")
    #expect(try await earlier.nova("is-following", "mock-user-id", "user-0007").output == "true\n")
    for post in ["post-1", "post-2"] {
      #expect(try await earlier.nova("likes", post, "--limit", "1", "-o", "ids").output == "mock-user-id\n", "\(post)")
    }
    let comments = try await earlier.nova("comments", "post-1", "--all", "-o", "json")
    #expect(comments.output.contains("Written offline."), "\(comments)")
  }

  @Test(arguments: EarlierFiles.versions) func storedReadsAreShown(_ version: String) async throws {
    let earlier = try await Earlier(version)
    let profile = try await earlier.nova("profile", "mock-user-id", "--posts", "0", "--offline")
    #expect(profile.status == 0 && profile.output.contains("Bruce Li"), "\(profile)")
    let followers = try await earlier.nova("followers", "mock-user-id", "--limit", "3", "--offline", "-o", "ids")
    #expect(followers.lines == ["user-1492", "user-0952", "user-2032"], "\(followers)")
  }

  @Test(arguments: EarlierFiles.versions) func interruptedUploadsAreListed(_ version: String) async throws {
    let earlier = try await Earlier(version)
    let id = try earlier.files.renewUpload(at: Int(ContinuousClock().unixTime) - 60)
    let uploads = try await earlier.nova("uploads", "list", "-o", "json")
    #expect(uploads.output.contains(id) && uploads.output.contains("video.bin"), "\(uploads)")
    #expect(!uploads.errors.contains("damaged"), "\(uploads)")
  }

  @Test(arguments: EarlierFiles.versions) func interruptedUploadsAreResumed(_ version: String) async throws {
    let earlier = try await Earlier(version)
    let file = try earlier.files.folder.write([UInt8](repeating: 7, count: 1000), to: "video.bin")
    // Whole seconds, because the record has nanoseconds, which Foundation does not show.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file)
    let id = try earlier.files.renewUpload(at: Int(ContinuousClock().unixTime) - 60, of: file)
    let resumed = try await earlier.nova("uploads", "resume", id)
    #expect(resumed.status == 0, "\(resumed)")
    #expect(try await earlier.nova("uploads", "list", "--jq", ".uploads | length").output == "0\n")
  }

  @Test(arguments: EarlierFiles.versions) func documentsAreRead(_ version: String) async throws {
    let files = try EarlierFiles(version)
    let check = try await nova("fixtures", "check", files.path("fixtures"))
    #expect(check.status == 0, "\(check)")
    try await withServe("--fixtures", files.path("fixtures")) { url, _ in
      let users = try await nova("search", "a", "--base-url", url, "-o", "json")
      #expect(users.status == 0, "\(users)")
    }
    try await withServe { url, _ in
      let contract = try await nova("contract", "check", "--base-url", url, "--baseline", files.path("baseline.json"))
      #expect(contract.status == 0, "\(contract)")
    }
    if files.has("bench.json") {
      _ = try EarlierRun(jsonUTF8: Array(try files.text("bench.json").utf8), in: "bench.json")
    }
    if files.has("cassette.jsonl") {
      try await withServe("--replay", files.path("cassette.jsonl"), "--fail-on-unmatched") { url, _ in
        let followers = try await nova(
          "followers", "mock-user-id", "--limit", "3", "--base-url", url, "-o", "ids")
        #expect(followers.lines == ["user-1492", "user-0952", "user-2032"], "\(followers)")
      }
    }
  }

  /// The files of an earlier cache have another format and another folder: they are removed, and never read.
  @Test func theMediaCacheOfAnEarlierVersionIsNotRead() async throws {
    let earlier = try await Earlier("0.1.0")
    let info = try await earlier.nova("cache", "info", "--jq", ".entry_count")
    #expect(info.output == "0\n", "\(info)")
    #expect(try await earlier.nova("cache", "clear", "--yes").status == 0)
    #expect(!earlier.files.has("cache/nova/media/v1"))
  }
}
