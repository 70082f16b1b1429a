import NovaSDK
import NovaTestSupport
import Testing

@Suite struct PetCommandTests {
  private let utc = ["TZ": "UTC0"]

  @Test func petsAreListedAndWhatIsLeftOutIsNoted() async throws {
    try await withServe { url, _ in
      let run = try await nova("pets", "--base-url", url)
      #expect(run.status == 0)
      #expect(
        run.lines == [
          "pet-1\tLuna\tcat\tmissing\t2025-11-20\tEuropean Shorthair\t+48 600 100 200",
          "pet-2\tRex\tdog\tfound\t2025-11-18\t-\t+48 600 100 201",
          "pet-3\tKiwi\tbird\tmissing\t2025-11-15\t-\t+48 600 100 202",
        ])
      let notes = run.errors.split(separator: "\n")
      #expect(notes.first == "3 pets")
      #expect(notes.count == 8)
      #expect(notes.dropFirst().allSatisfy { $0.hasPrefix("nova: warning: skipped: announcement pet-") })
      #expect(notes.contains { $0.contains(#"species is "DINOSAUR"; expected dog, cat, bird or other"#) })
      let near = try await nova("pets", "--near", "50.06,19.9", "-o", "ids", "--base-url", url)
      #expect(near.lines == ["pet-2", "pet-1", "pet-3"])
      let nearest = try await nova("pets", "--near", "50.06,19.9", "--limit", "1", "-o", "ids", "--base-url", url)
      #expect(nearest.lines == ["pet-2"])
    }
  }

  @Test func jsonListsWhatWasLeftOut() async throws {
    let run = try await nova("pets", "--mock", "-o", "json", "--fields", "id,latitude")
    let document = try JSONValue(jsonUTF8: Array(run.output.utf8))
    guard case .array(let animals)? = document["animals"], case .array(let skipped)? = document["skipped"] else {
      Issue.record("no lists: \(run.output)")
      return
    }
    #expect(
      animals.first
        == .object([.init(name: "id", value: .string("pet-1")), .init(name: "latitude", value: .number("52.2297"))]))
    #expect(animals.count == 3 && skipped.count == 7)
    #expect(skipped.first?["reason"] == .string("unknownSpecies") && skipped.first?["value"] == .string("DINOSAUR"))
    let lines = try await nova("pets", "--mock", "-o", "ndjson").lines
    #expect(lines.count == 3 && lines[1].hasPrefix(#"{"id":"pet-2","name":"Rex","species":"dog","status":"found""#))
  }

  @Test(arguments: [".", "..", "%2e%2e", "../..", "..;a"]) func anIdThatLeavesItsPathIsRefused(id: String) async throws
  {
    let run = try await nova("pet", id, "--mock")
    #expect(run.status == 65 && run.output.isEmpty)
    #expect(run.errors.contains("id must not hold the path segment"), "\(run.errors)")
  }

  @Test func southAndWestAreNegative() async throws {
    for near in [["--near", "-33.9,-151.2"], ["--near=-33.9,-151.2"]] {
      #expect(try await ProgramRun(["pets", "--mock", "-o", "ids"] + near).result().lines.count == 3)
    }
  }

  @Test func aPetHasADashForWhatIsMissing() async throws {
    let run = try await nova("pet", "pet-2", "--mock", environment: utc)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.lines == [
        "Rex (pet-2), dog, found", "LAST SEEN    2025-11-18 at 50.0647,19.945",
        "DESCRIPTION  Found by the river, friendly, blue collar.", "BREED        —", "MICROCHIP    —",
        "PHONE        +48 600 100 201", "EMAIL        —", "REWARD       —",
        "PHOTO        https://cdn.nova.social/pets/2.jpg", "CREATED      2025-11-18T09:00:00Z",
        "UPDATED      2025-11-18T09:00:00Z",
      ])
    let luna = try await nova("pet", "pet-1", "--mock", environment: utc)
    #expect(luna.lines.contains("REWARD       500 PLN") && luna.lines.contains("UPDATED      2025-11-21T07:15:00Z"))
    let json = try await nova("pet", "pet-3", "--mock", "-o", "ndjson")
    #expect(json.output.contains(#""reward_text":"1 250.50 zł","reward":1250.5,"created_at":"2025-11-15T15:45:00Z""#))
    #expect(!json.output.contains("breed"))
  }

  @Test func aBadAnnouncementIsBadDataAndAnUnknownOneIsNotFound() async throws {
    let bad = try await nova("pet", "pet-bad-date", "--mock")
    #expect(bad.status == 65 && bad.output.isEmpty)
    #expect(
      bad.errors
        == "nova: announcement pet-bad-date cannot be shown: last_seen_date is \"15-11-2025\"; "
        + "expected a date as yyyy-MM-dd\n")
    #expect(try await nova("pet", "pet-9", "--mock").status == 5)
  }
}
