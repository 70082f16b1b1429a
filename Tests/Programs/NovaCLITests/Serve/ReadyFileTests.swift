import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// `nova serve --ready-file`: other programs wait for the file and read where the server listens.
@Suite(.hangLimit) struct ReadyFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/server.json"
  }

  private func start(_ arguments: String...) async throws -> ProgramRun {
    try ProgramRun(["serve", "--port", "0", "--ready-file", path] + arguments)
  }

  /// The file, as soon as it has its name.
  private func facts(_ run: ProgramRun) async throws -> JSONValue {
    for _ in 0..<3000 {
      if folder.names.contains("server.json") { return try JSONValue(jsonUTF8: folder.bytes("server.json")) }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw ProgramRun.Failure(description: "there is no ready file: \(run.output)\(run.errors)")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func itNamesTheServerUntilItEnds(_ signal: Int32) async throws {
    let run = try await start("--grpc-port", "0")
    let facts = try await facts(run)
    let url = try #require(facts["url"]?.stringValue)
    let port = try #require(facts["port"]?.integerValue)
    #expect(url == "http://127.0.0.1:\(port)", "\(facts)")
    #expect(facts["pid"]?.integerValue == Int(run.processIdentifier), "\(facts)")
    let grpcPort = try #require(facts["grpc_port"]?.integerValue)
    #expect(facts["grpc_url"]?.stringValue == "grpc://127.0.0.1:\(grpcPort)", "\(facts)")
    #expect(facts["data"]?.stringValue == "seed 1", "\(facts)")
    // It listens already.
    let call = try await nova("followers", "mock-user-id", "--limit", "1", "-o", "ids", "--base-url", url)
    #expect(call.status == 0, "\(call)")
    run.signal(signal)
    let result = try await run.result()
    #expect(result.status == 0, "\(result)")
    #expect(result.output == "nova serve: listening on \(url) and grpc://127.0.0.1:\(grpcPort) (seed 1)\n")
    #expect(folder.names.isEmpty, "\(folder.names)")
  }

  /// A program that waits must not read where a killed server was.
  @Test func theFileOfAKilledServerIsReplaced() async throws {
    let first = try await start()
    let before = try await facts(first)
    first.signal(SIGKILL)
    _ = try await first.result()
    #expect(folder.names == ["server.json"])
    // The old file goes even if the server then cannot start.
    try await withServe { url, _ in
      let port = String(url.split(separator: ":").last ?? "")
      let failed = try await nova("serve", "--port", port, "--ready-file", path)
      #expect(failed.status == 1 && failed.errors.contains("the port is in use"), "\(failed)")
    }
    #expect(folder.names.isEmpty, "\(folder.names)")
    let second = try await start()
    let after = try await facts(second)
    #expect(after["pid"]?.integerValue == Int(second.processIdentifier) && after["pid"] != before["pid"], "\(after)")
  }

  @Test func anEmptyFileIsATemporaryFileOfTheCaller() async throws {
    _ = try folder.write("", to: "server.json")
    let run = try await start()
    try await run.waitForOutput("listening on")
    #expect(try await facts(run)["url"]?.stringValue != nil)
  }

  @Test func twoServersDoNotShareIt() async throws {
    let first = try await start()
    let before = try await facts(first)
    let second = try await start()
    let result = try await second.result()
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(
      result.errors.contains("it is the ready file of a running server (pid \(first.processIdentifier))"),
      "\(result.errors)")
    #expect(try await facts(first) == before)
  }

  @Test(arguments: ["notes\n", #"{"url":"http://localhost:1"}"#, String(repeating: "x", count: 10_000)])
  func otherFilesStay(text: String) async throws {
    _ = try folder.write(text, to: "server.json")
    let result = try await start().result()
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("the file exists and is not a ready file"), "\(result.errors)")
    #expect(try folder.bytes("server.json") == Array(text.utf8) && folder.names == ["server.json"])
  }

  @Test func placesThatAreNoFilesAreRefusedBeforeTheServerStarts() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/directory", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/nowhere", withDestinationPath: "none")
    for name in ["directory", "link", "nowhere", "none/server.json"] {
      let result = try await nova("serve", "--port", "0", "--ready-file", "\(folder.path)/\(name)")
      #expect(result.status == 1 && result.output.isEmpty, "\(name): \(result)")
      #expect(result.errors.hasPrefix("nova-serve: cannot write \(folder.path)/\(name): "), "\(name): \(result.errors)")
      #expect(result.errors.hasSuffix("ame another place.\n"), "\(name): \(result.errors)")
    }
    #expect(folder.names == ["directory", "link", "nowhere"])
    #expect(try await nova("serve", "--port", "0", "--ready-file=").status == 64)
  }
}
