import Foundation
import NovaTestSupport
import Testing

@Suite struct DecodeCommandTests {
  @Test func goodJSONIsNormalised() async throws {
    let json = #"{"hasMore": true, "total_count": "3", "unknown": [1], "userIds": ["a"]}"#
    let run = try await nova("decode", "GetFollowersResponse", "--allow-unknown-fields", input: json)
    #expect(run.status == 0)
    #expect(
      run.output == """
        {
          "user_ids": [
            "a"
          ],
          "total_count": 3,
          "has_more": true
        }

        """)
  }

  @Test func unknownFieldsAreRefused() async throws {
    let json = #"{"posts": [{"id": "a"}, {"autor_id": "b"}]}"#
    let run = try await nova("decode", "RankPostsRequest", input: json)
    #expect(run.status == 65)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("nova: 1:26: posts[1].autor_id: unknown field; did you mean author_id?\n"))
  }

  @Test func dialectsDiffer() async throws {
    let like = #"{"id": "l", "created_at": 1700000000}"#
    let camel = try await nova("decode", "like", "--dialect", "camel", input: like)
    #expect(camel.output.contains("\"createdAt\": 1700000000"))
    let canonical = try await nova("decode", "like", "--dialect", "canonical", input: like)
    #expect(canonical.output.contains("\"createdAt\": \"1700000000\""))
    #expect(try await nova("decode", "like", "--dialect", "xml", input: like).status == 64)
  }

  @Test func badJSONIsNamedWithItsPlace() async throws {
    let run = try await nova("decode", "GetFollowersResponse", input: "{\"user_ids\": [\"a\",\n  3]}")
    #expect(run.status == 65)
    #expect(run.output.isEmpty)
    #expect(run.errors == "nova: 2:3: user_ids[1]: expected a string, found number 3\n")
  }

  @Test func aFileIsNamed() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data("[]".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await nova("decode", "GetFollowersResponse", file.path)
    #expect(run.status == 65)
    #expect(run.errors.hasPrefix("nova: \(file.path):1:1: expected an object"))
    let missing = try await nova("decode", "GetFollowersResponse", "/does/not/exist")
    #expect(missing.status == 65)
    #expect(missing.errors == "nova: cannot read /does/not/exist: No such file or directory\n")
  }

  @Test func anUnknownMessageIsWrongUsage() async throws {
    let run = try await nova("decode", "GetFolowersResponse")
    #expect(run.status == 64)
    #expect(run.errors.contains("Did you mean GetFollowersResponse?"))
    #expect(try await nova("decode").status == 64)
    #expect(try await nova("decode", "--list").output.contains("GetFollowersResponse\n"))
  }

  @Test func terminalEscapesInDataAreSpeltOut() async throws {
    let run = try await nova("decode", "GetFollowersResponse", input: "{\"user_ids\": [\u{9B}31m]}")
    #expect(run.status == 65)
    #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }
}
