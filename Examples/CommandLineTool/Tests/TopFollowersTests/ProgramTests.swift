import Foundation
import NovaTesting
import Testing

/// The program itself: its output, its exit codes, Ctrl-C.
@Suite struct Programs {
  @Test func listsFollowersOfTheMock() async throws {
    let run = try ProgramRun(["mock-user-id", "--mock", "--limit", "3", "--json"])
    await run.waitForEnd()
    let output = run.output
    #expect(run.status == 0 && run.errors == "")
    let list = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
    let counts = list?.compactMap { $0["follower_count"] as? Int } ?? []
    #expect(counts.count == 3 && counts == counts.sorted(by: >))
  }

  @Test(arguments: [
    (["nobody", "--mock"], 5, "not found"),
    (["ann", "--mock", "--limit", "0"], 64, "--limit must be 1…1000, got 0"),
    (["ann", "--mock", "--base-url", "http://localhost:1"], 64, "exclude each other"),
    (["ann", "--environment", "prod"], 64, "expected development, staging or production"),
    ([], 64, "Missing expected argument"),
  ])
  func failuresAreReportedOnStandardError(_ arguments: [String], _ status: Int32, _ message: String) async throws {
    let run = try ProgramRun(arguments)
    await run.waitForEnd()
    #expect(run.status == status)
    #expect(run.output == "")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func aGatewayThatIsDownHasItsOwnCode() async throws {
    let run = try ProgramRun(["ann", "--base-url", ClosedPort().url], environment: ["NOVA_RETRY_ATTEMPTS": "1"])
    await run.waitForEnd()
    #expect(run.status == 6)
    #expect(run.errors.contains("request ID"))
  }

  @Test(arguments: [SIGINT, SIGTERM]) func ctrlCEndsTheCallAtOnce(_ signal: Int32) async throws {
    let gateway = try FaultServer([.fault(.hangBeforeHeaders)], then: .lastRepeats)
    defer { gateway.stop() }
    let run = try ProgramRun(["ann", "--base-url", gateway.url])
    await gateway.waitForRequests(1)
    run.send(signal)
    await run.waitForEnd()
    #expect(run.status == 130 && run.output == "")
  }
}

/// A run of the tool.
private final class ProgramRun {
  private let process = Process()
  private let pipes = (output: Pipe(), errors: Pipe())
  private let end = AsyncStream<Void>.makeStream()
  private(set) lazy var output = Self.text(pipes.output)
  private(set) lazy var errors = Self.text(pipes.errors)

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = try Self.program()
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = FileManager.default.temporaryDirectory
    process.standardOutput = pipes.output
    process.standardError = pipes.errors
    process.terminationHandler = { [end] _ in end.continuation.finish() }
    try process.run()
  }

  var status: Int32 { process.terminationStatus }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func waitForEnd() async { for await _ in end.stream {} }

  private static func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// Beside the tests, where SwiftPM builds it.
  private static func program() throws -> URL {
    var candidates = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 }
    candidates += CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
    for candidate in candidates {
      var folder = candidate
      while folder.path.count > 1 {
        let program = folder.appending(path: "top-followers")
        if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        folder.deleteLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
