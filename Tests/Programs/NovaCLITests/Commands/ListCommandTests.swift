import NovaSDK
import NovaTestSupport
import Testing

@Suite struct ListCommandTests {
  @Test func aPipeGetsTabsAndANoteOnTheExtent() async throws {
    let run = try await nova("followers", "mock-user-id", "--mock", "--limit", "3")
    #expect(run.status == 0)
    #expect(run.lines == ["user-1492\tyara_1492", "user-0952\tfarah_952", "user-2032\tpablo_2032"])
    #expect(run.errors == "3 of 3,021 followers shown; use --all to list all\n")
  }

  @Test func everyFormatHasTheSameIDs() async throws {
    let ids = try await nova("following", "mock-user-id", "--mock", "--limit", "2", "-o", "ids")
    #expect(ids.lines.count == 2)
    let lines = try await nova("following", "mock-user-id", "--mock", "--limit", "2", "-o", "ndjson")
    #expect(lines.lines == ids.lines.map { "{\"user_id\":\"\($0)\"}" })
    let json = try await nova("following", "mock-user-id", "--mock", "--limit", "2", "-o", "json")
    #expect(json.errors.isEmpty)
    let page = try GetFollowingResponse(jsonUTF8: Array(json.output.utf8))
    #expect(page == GetFollowingResponse(userIds: ids.lines, totalCount: 1500, hasMore: true))
  }

  @Test func jsonIsTheResponseSpread() async throws {
    let run = try await nova("followers", "mock-user-id", "--mock", "--limit", "1", "-o", "json")
    #expect(
      run.output == """
        {
          "user_ids": [
            "user-1492"
          ],
          "total_count": 3021,
          "has_more": true
        }

        """)
    let nobody = try await nova("followers", "nobody", "--mock", "-o", "json")
    #expect(nobody.status == 5 && nobody.output.isEmpty, "\(nobody)")
    #expect(nobody.errors.hasPrefix("nova: not found: user \"nobody\"\n"), "\(nobody.errors)")
  }

  @Test func allReadsToTheEnd() async throws {
    let run = try await nova("followers", "mock-user-id", "--mock", "--all", "--output", "ids")
    #expect(run.lines.count == 3021)
    #expect(Set(run.lines).count == 3021)
    #expect(run.errors.isEmpty)
    let json = try await nova("followers", "mock-user-id", "--mock", "--all", "-o", "json")
    #expect(
      try GetFollowersResponse(jsonUTF8: Array(json.output.utf8))
        == GetFollowersResponse(userIds: run.lines, totalCount: 3021, hasMore: false))
    let some = try await nova("followers", "mock-user-id", "--mock", "--all", "--limit", "1500", "-o", "ids")
    #expect(some.lines == Array(run.lines.prefix(1500)))
    #expect(some.errors == "1,500 of 3,021 followers shown; omit --limit to list all\n")
  }

  @Test func theSameListComesOverHTTP() async throws {
    let inMemory = try await nova("followers", "mock-user-id", "--mock", "--all", "-o", "ids")
    try await withServe { url, _ in
      let served = try await nova("followers", "mock-user-id", "--base-url", url, "--all", "-o", "ids")
      #expect(served.status == 0)
      #expect(served.output == inMemory.output)
    }
  }

  @Test func optionsMayStandBeforeTheCommand() async throws {
    let run = try await nova("--mock", "-o", "ids", "followers", "mock-user-id", "--limit", "1")
    #expect(run.output == "user-1492\n")
  }

  @Test(arguments: [
    ["followers"], ["followers", ""], ["followers", "x", "--limit", "0"], ["followers", "x", "--offset", "-1"],
    ["followers", "x", "--all", "--offset", "3"], ["followers", "x", "--timeout", "soon"],
    ["followers", "x", "--output", "xml"], ["followers", "x", "--timeout", "1h"], ["folowers", "x"],
    ["followers", "x", "--environment", "prod", "--mock"], ["followers", "x", "--base-url", "nowhere"],
    ["followers", "x", "--config", "/does/not/exist"], ["is-muted", "a", "b", "-o", "ids"],
  ])
  func wrongUsageIs64(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments).result()
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("nova: "))
  }

  @Test func slipsAreNoticed() async throws {
    #expect(try await nova("folowers", "x").errors.contains("Did you mean followers?"))
  }

  @Test func tokensAreRefusedOnTheCommandLine() async throws {
    for arguments in [["followers", "x", "--token", "s3cret"], ["--token=s3cret", "followers", "x"]] {
      let run = try await ProgramRun(arguments).result()
      #expect(run.status == 64)
      #expect(run.errors.contains("NOVA_TOKEN_FILE"))
      #expect(!run.errors.contains("s3cret"))
    }
  }
}
