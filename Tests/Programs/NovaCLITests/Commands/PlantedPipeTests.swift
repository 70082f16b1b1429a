import Foundation
import NovaTestSupport
import Testing

/// A pipe without a writer in the place of a file: whoever opens it waits for ever, also past `--timeout`. Where nobody has
/// named it, it is refused; where somebody has, as `<(…)` does, it is read.
@Suite(.hangLimit) struct PlantedPipeTests {
  private struct Place: Sendable, CustomTestStringConvertible {
    let path: String
    let command: String
    /// The exit codes that are right, where the file does not matter for the result.
    var statuses: Set<Int32> = [1, 65]

    var testDescription: String { "\(path): \(command)" }
  }

  private static let places =
    [
      Place(path: "APIConfig.json", command: "followers mock-user-id --mock"),
      Place(path: "APIConfig.json", command: "config show"),
      Place(path: ".config/nova/contexts.json", command: "followers mock-user-id --mock", statuses: [0, 1, 65]),
      Place(path: ".config/nova/sessions/mock", command: "whoami --mock", statuses: [1]),
      Place(
        path: ".config/nova/sessions/mock.lock", command: "login bruce@nova.social --mock --password-stdin",
        statuses: [74]),
    ]
    + [
      "outbox.db", "outbox.db-journal", "outbox.db-wal", "outbox.db-shm", "outbox.lock", "cache.db", "cache.db-journal",
    ]
    .flatMap { name in
      let url = "--base-url http://127.0.0.1:1"
      return ["outbox list --all \(url)", "cache info", "profile mock-user-id --offline \(url)"].map {
        Place(path: ".local/state/nova/offline/\(name)", command: $0, statuses: [0, 1, 4, 5, 6, 65])
      }
    }

  @Test(arguments: places) private func isNotWaitedFor(_ place: Place) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(place.path)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    #expect(mkfifo(path, 0o600) == 0)
    let run = try await ProgramRun(
      place.command.split(separator: " ").map(String.init), input: "mock-password\n",
      environment: ["HOME": folder.path], directory: URL(filePath: folder.path)
    ).result()
    #expect(place.statuses.contains(run.status), "\(run)")
  }

  /// Certificates are read by a library, again and again.
  @Test(
    arguments: [
      ("NOVA_CA_FILE", 64), ("NOVA_CLIENT_CERTIFICATE_FILE", 64), ("CURL_CA_BUNDLE", 6), ("SSL_CERT_FILE", 6),
    ] as [(String, Int32)])
  func certificatesAreNoPipes(_ variable: String, _ status: Int32) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let run = try await ProgramRun(
      ["followers", "mock-user-id", "--base-url", "https://localhost:1"],
      environment: ["HOME": folder.path, "CURL_CA_BUNDLE": ""].merging([variable: path]) { $1 }
    ).result()
    #expect(run.status == status && run.errors.contains("(not a regular file)"), "\(run)")
  }

  @Test func pipesThatAreNamedAreRead() async throws {
    let script = #"""
      json='{"user_ids":["a"],"total_count":1}'
      "$NOVA" decode GetFollowersResponse <(echo "$json") | grep -c user_ids
      "$NOVA" config show --config <(echo '{"retry":{"attempts":7}}') | grep -c 'attempts.*7'
      exec 3< <(echo '{"retry":{"attempts":7}}'); NOVA_CONFIG=/dev/fd/3 "$NOVA" config show | grep -c 'attempts.*7'
      mkfifo named; (printf '\357\273\277%s' "$json" > named) & "$NOVA" decode GetFollowersResponse named | grep -c user_ids
      """#
    let run = try await ProgramRun(
      ["-c", script], executable: URL(filePath: "/bin/bash"), environment: ["NOVA": try ProgramRun.program().path]
    ).result()
    #expect(run.lines == ["1", "1", "1", "1"], "\(run)")
  }
}
