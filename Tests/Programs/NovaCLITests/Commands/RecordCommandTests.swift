import NovaSDK
import NovaTestSupport
import Testing

@Suite struct RecordCommandTests {
  private let utc = ["TZ": "UTC0"]

  @Test func aPipeGetsTheDefaultColumnsAndTimesInUTC() async throws {
    let run = try await nova("posts", "mock-user-id", "--mock", "--limit", "1", environment: utc)
    #expect(run.status == 0)
    #expect(
      run.lines == [
        "post-245\t2024-09-02T22:19:51Z\tpublished\tpublic\tAnyone up for a run tomorrow?"
      ])
    #expect(run.errors == "1 of 245 posts shown; use --all to list all\n")
    let east = try await nova("posts", "mock-user-id", "--mock", "--limit", "1", environment: ["TZ": "EST-2"])
    #expect(east.output == run.output)
  }

  @Test func jsonHasRawTimesAndTheExtent() async throws {
    let json = try await nova("posts", "mock-user-id", "--mock", "--limit", "2", "-o", "json")
    let page = try GetPostsByAuthorResponse(jsonUTF8: Array(json.output.utf8))
    #expect(page.posts.map(\.id) == ["post-245", "post-244"])
    #expect(page.posts.first?.createdAt == 1_725_315_591)
    #expect(page.totalCount == 245)
    #expect(page.hasMore)
    #expect(json.errors.isEmpty)
    let nothing = try await nova("posts", "nobody", "--mock", "-o", "json")
    #expect(nothing.status == 5 && nothing.output.isEmpty, "\(nothing)")
    #expect(nothing.errors.hasPrefix("nova: not found: user \"nobody\"\n"), "\(nothing.errors)")
  }

  @Test func allReadsToTheEnd() async throws {
    let ids = try await nova("posts", "mock-user-id", "--mock", "--all", "-o", "ids")
    #expect(ids.lines == (1...245).reversed().map { "post-\($0)" })
    #expect(ids.errors.isEmpty)
    let feed = try await nova("feed", "mock-user-id", "--mock", "--all", "-o", "ids")
    #expect(feed.lines.count > 245)
    #expect(Set(feed.lines).count == feed.lines.count)
    let some = try await nova("feed", "mock-user-id", "--mock", "--all", "--limit", "120", "-o", "ids")
    #expect(some.lines == Array(feed.lines.prefix(120)))
  }

  @Test func fieldsPickColumnsAndMembers() async throws {
    let arguments = ["posts", "mock-user-id", "--mock", "--limit", "1", "--fields", "status, id,id"]
    #expect(try await ProgramRun(arguments).result().lines == ["published\tpost-245"])
    let line = try await ProgramRun(arguments + ["-o", "ndjson"]).result()
    #expect(line.output == #"{"status":"published","id":"post-245"}"# + "\n")
    let before = try await nova("--fields", "id", "--mock", "posts", "mock-user-id", "--limit", "1")
    #expect(before.lines == ["post-245"])
    let camel = try await nova("post", "show", "post-1", "--mock", "--fields", "creatorId", "-o", "ndjson")
    #expect(camel.output == #"{"creator_id":"mock-user-id"}"# + "\n")
    let heading = try await nova("post", "show", "post-1", "--mock", "--fields", "ID, CREATOR ID", "-o", "ndjson")
    #expect(heading.output == #"{"id":"post-1","creator_id":"mock-user-id"}"# + "\n", "\(heading)")
  }

  @Test func anUnknownFieldIsWrongUsageAndTheOthersAreListed() async throws {
    for command in [["posts", "x"], ["post", "show", "x"], ["feed", "x"], ["stats", "x"], ["reels"]] {
      let run = try await ProgramRun(command + ["--mock", "--fields", "id,nope"]).result()
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("nova: not found: field \""))
      #expect(run.errors.contains("Fields: "))
    }
    #expect(try await nova("posts", "x", "--mock", "--fields", "").status == 64)
    #expect(try await nova("posts", "x", "--mock", "--fields", "id", "-o", "ids").status == 64)
  }

  @Test func aFeedGoesOnWhereThePageBeforeEnded() async throws {
    let first = try await nova("feed", "mock-user-id", "--mock", "--limit", "2", "--algorithm", "ch", "-o", "json")
    let page = try GetFeedResponse(jsonUTF8: Array(first.output.utf8))
    #expect(page.hasMore)
    let next = try await nova(
      "feed", "mock-user-id", "--mock", "--limit", "2", "--algorithm", "ch", "--cursor", page.nextCursor, "-o", "ids")
    let both = try await nova("feed", "mock-user-id", "--mock", "--limit", "4", "--algorithm", "ch", "-o", "ids")
    #expect(both.lines == page.posts.map(\.id) + next.lines)
    #expect(try await nova("feed", "mock-user-id", "--mock", "--algorithm", "magic").status == 65)
    #expect(try await nova("feed", "mock-user-id", "--mock", "--all", "--cursor", "x").status == 64)
  }

  @Test func otherListsAreLists() async throws {
    let bookmarks = try await nova("bookmarks", "mock-user-id", "--mock", "--all", "-o", "ids")
    #expect(bookmarks.lines.count == 37)
    let liked = try await nova("liked", "mock-user-id", "--mock", "--limit", "1")
    #expect(liked.lines == ["post-1218\tAnyone up for a run tomorrow?"])
    #expect(try await nova("likes", "post-3", "--mock", "-o", "ids").lines.contains("user-2022"))
    let creators = try await nova("creators", "mock-user-id", "--mock", "--limit", "3", "-o", "ids")
    #expect(creators.lines.count == 3)
    #expect(try await nova("videos", "mock-user-id", "--mock", "-o", "json").output == "{\n  \"videos\": []\n}\n")
    #expect(try await nova("reels", "--mock").output == "")
    let found = try await nova("search", "bruce", "--mock", "-o", "ids")
    #expect(found.lines.first == "mock-user-id")
    let stats = try await nova("stats", "post-1", "post-2", "--mock", "-o", "ndjson")
    #expect(stats.lines.first == #"{"post_id":"post-1","like_count":15,"comment_count":1,"share_count":2}"#)
    #expect(stats.lines.count == 2)
  }
}
