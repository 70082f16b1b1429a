import Foundation
import NovaTestSupport
import Testing

/// The scripts of Examples/CommandLine, run as they are with the real program.
@Suite struct CommandLineExampleTests {
  private static let folder = Checkout.root.appending(path: "Examples/CommandLine")

  private func run(
    _ script: String, _ arguments: [String] = [], mock: Bool = true, directory: URL? = nil
  ) async throws -> RunResult {
    let nova = try ProgramRun.program().deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    var environment = ["PATH": "\(nova):\(path)"]
    environment[mock ? "NOVA_MOCK" : "NOVA_BASE_URL"] = mock ? "1" : "http://127.0.0.1:9"
    return try await ProgramRun(
      arguments, executable: Self.folder.appending(path: script), environment: environment, directory: directory
    ).result()
  }

  @Test(arguments: [
    ("followers.sh", ["mock-user-id", "2"], "user-1492\tyara_1492\nuser-0952\tfarah_952\n", Int32(0)),
    ("followers-table.sh", ["mock-user-id", "2"], "user-1492\tyara_1492\t1\nuser-0952\tfarah_952\t3\n", 0),
    (
      "mutual-followers.sh", ["mock-user-id", "user-0002"],
      "mock-user-id follows user-0002: true\nuser-0002 follows mock-user-id: true\n", 0
    ),
    (
      "mutual-followers.sh", ["mock-user-id", "user-0001"],
      "mock-user-id follows user-0001: false\nuser-0001 follows mock-user-id: true\n", 1
    ),
    (
      "follow-back.sh", ["mock-user-id", "2"],
      "user-1492 follows mock-user-id\nuser-0952 follows mock-user-id\n", 0
    ),
    ("check-gateway.sh", ["mock-user-id"], "ok: mock-user-id has 3021 followers\n", 0),
    ("check-gateway.sh", ["nobody"], "", 5),
  ])
  func prints(script: String, arguments: [String], output: String, status: Int32) async throws {
    let run = try await run(script, arguments)
    #expect(run.output == output, "\(run.errors)")
    #expect(run.status == status, "\(run.errors)")
  }

  @Test func onlyNewFollowersArePrinted() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "followers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "known")
    #expect(try await run("new-followers.sh", ["mock-user-id", file.path]).lines.count == 3021)
    #expect(try await run("new-followers.sh", ["mock-user-id", file.path]).output == "")
    let known = try String(contentsOf: file, encoding: .utf8)
    try known.replacing("user-1492\n", with: "").write(to: file, atomically: true, encoding: .utf8)
    let before = try Data(contentsOf: file)
    let failed = try await run("new-followers.sh", ["mock-user-id", file.path], mock: false)
    #expect(failed.status == 6 && failed.output == "", "\(failed.errors)")
    #expect(try Data(contentsOf: file) == before, "a failure must not lose the known followers")
    #expect(try await run("new-followers.sh", ["mock-user-id", file.path]).output == "user-1492\n")
  }

  @Test func theReadmeListsEachScriptAndEachSaysWhatItNeeds() async throws {
    let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    let scripts = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".sh") }
    #expect(!scripts.isEmpty)
    for script in scripts {
      #expect(readme.contains("[`\(script)`](\(script))"), "\(script)")
      let run = try await run(script)
      #expect(run.status != 0 && run.errors.contains("the ID of a user"), "\(script): \(run)")
    }
  }
}
