import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// `nova-serve` by itself, and how `nova serve` finds it.
@Suite struct ServeProgramTests {
  private static func server() throws -> URL {
    try ProgramRun.program().deletingLastPathComponent().appending(path: "nova-serve")
  }

  private func run(_ arguments: String...) async throws -> RunResult {
    try await ProgramRun(arguments, executable: Self.server()).result()
  }

  @Test func itHasItsOwnHelpAndVersion() async throws {
    let help = try await run("--help")
    #expect(help.status == 0 && help.errors.isEmpty)
    #expect(help.output.contains("USAGE: nova-serve [<options>]"), "\(help.output)")
    #expect(help.output.contains("EXIT CODES:"), "\(help.output)")
    #expect(!help.output.contains("SUBCOMMANDS"), "\(help.output)")
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help.output)")
    #expect(try await run("--version").output == "\(NovaSDKVersion.current)\n")
  }

  @Test(arguments: [
    (["--prot", "80"], "unknown option --prot"), (["--port", "70000"], #""70000""#), (["now"], #""now""#),
    (["--host", "example.com"], "invalid --host"),
  ])
  func itsUsageErrorsNameIt(_ arguments: [String], _ part: String) async throws {
    let run = try await ProgramRun(arguments, executable: Self.server()).result()
    #expect(run.status == 64 && run.output.isEmpty, "\(run)")
    #expect(run.errors.hasPrefix("nova-serve: ") && run.errors.contains(part), "\(run.errors)")
    #expect(run.errors.contains("See 'nova-serve --help'"), "\(run.errors)")
  }

  @Test func theFirstOnThePathServesIfNoneIsBesideNova() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-alone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let nova = folder.appending(path: "nova")
    try FileManager.default.copyItem(at: try ProgramRun.program(), to: nova)
    func path(_ directories: String...) -> [String: String] { ["PATH": directories.joined(separator: ":")] }

    let missing = try await ProgramRun(["serve"], executable: nova, environment: path("/dev/null/none")).result()
    #expect(missing.status == 1 && missing.output.isEmpty, "\(missing)")
    #expect(missing.errors.contains("not found at "), "\(missing.errors)")
    #expect(missing.errors.contains("/nova-serve, nor on the PATH"), "\(missing.errors)")

    let built = try Self.server().deletingLastPathComponent().path
    let found = try ProgramRun(
      ["serve", "--port", "0"], executable: nova, environment: path("/dev/null/none", built))
    try await found.waitForOutput("listening on")

    // A relative directory means whatever the current directory is.
    let relative = try await ProgramRun(
      ["serve", "--port", "0"], executable: nova, environment: path("", ".", "bin"),
      directory: URL(filePath: built)
    ).result()
    #expect(relative.status == 1 && relative.errors.contains("nor on the PATH"), "\(relative)")
  }
}
