import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

/// The run files of `nova serve`, and the advice that names running servers.
@Suite struct RunFileTests {
  private func files(_ directory: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  }

  /// Runs `body` while a server of this user runs.
  private func withServer(
    _ desk: Desk, variables: [String: String] = [:], _ body: (_ url: String, _ run: ProgramRun) async throws -> Void
  ) async throws {
    let serve = try await Serve(environment: ["HOME": desk.home.path].merging(variables) { $1 })
    defer { withExtendedLifetime(serve) {} }
    try await body(serve.url, serve.run)
  }

  private func directory(_ desk: Desk) -> URL { desk.home.appending(path: ".local/state/nova/serve") }

  @Test(arguments: [SIGTERM, SIGINT, SIGKILL]) func aFileIsThereWhileTheServerRuns(_ signal: Int32) async throws {
    let desk = try Desk()
    try await withServer(desk) { url, run in
      let name = try #require(files(directory(desk)).first)
      let file = directory(desk).appending(path: name)
      for (path, mode) in [(file.path, 0o600), (directory(desk).path, 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
      }
      let facts = RunFile.running(in: [directory(desk).path])
      #expect(facts.map(\.url) == [url] && facts.first?.data == "seed 1", "\(facts)")
      #expect(facts.first?.processID == Int(run.processIdentifier))
      run.signal(signal)
      _ = try await run.result()
      // After SIGKILL the file stays until a command looks for servers.
      #expect(files(directory(desk)).isEmpty == (signal != SIGKILL))
      #expect(RunFile.running(in: [directory(desk).path]).isEmpty)
      #expect(files(directory(desk)).isEmpty)
    }
  }

  @Test func severalServersHaveAFileEach() async throws {
    let desk = try Desk()
    try await withServer(desk) { first, _ in
      try await withServer(desk) { second, _ in
        #expect(Set(RunFile.running(in: [directory(desk).path]).map(\.url)) == [first, second])
      }
    }
  }

  @Test func aServerRunsWithoutAPlaceForItsFile() async throws {
    let desk = try Desk()
    try desk.write("a file", ".local")
    try await withServer(desk, variables: ["XDG_RUNTIME_DIR": desk.home.path + "/.local/none"]) { url, run in
      let call = try await desk.nova("followers", "mock-user-id", "--base-url", url)
      #expect(call.status == 0, "\(call)")
      #expect(run.errors.isEmpty)
    }
  }

  @Test func theRuntimeDirectoryIsPreferred() async throws {
    let desk = try Desk()
    let runtime = desk.home.appending(path: "run")
    try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
    try await withServer(desk, variables: ["XDG_RUNTIME_DIR": runtime.path]) { _, _ in
      #expect(files(runtime.appending(path: "nova/serve")).count == 1)
      #expect(files(directory(desk)).isEmpty)
    }
  }

  /// Files that are not run files of this user's servers.
  @Test(arguments: ["", "{}", "nonsense", #"{"url":"x"}"#, String(repeating: "y", count: 100_000)])
  func otherFilesAreIgnored(_ text: String) async throws {
    let desk = try Desk()
    try FileManager.default.createDirectory(
      at: directory(desk), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = directory(desk).appending(path: "1.json")
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(
      atPath: directory(desk).path + "/2.json", withDestinationPath: "/etc/passwd")
    #expect(RunFile.running(in: [directory(desk).path]).isEmpty)
    // Locked by a process that is not a server.
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let handle = try FileHandle(forReadingFrom: file)
    #expect(flock(handle.fileDescriptor, LOCK_EX) == 0)
    #expect(RunFile.running(in: [directory(desk).path]).isEmpty)
    #expect(FileManager.default.fileExists(atPath: file.path))
    // Others could have put files into this directory.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory(desk).path)
    #expect(RunFile.running(in: [directory(desk).path]).isEmpty)
  }

  // MARK: The advice

  @Test func anUnconfiguredCallNamesTheRunningServer() async throws {
    let desk = try Desk()
    // Port 8080 is the default gateway of a debug build; something may listen there.
    let missing = try await desk.nova("context", "add", "local")
    #expect(missing.errors.contains("For example: nova context add local"), "\(missing.errors)")
    let closed = try ClosedPort()
    defer { withExtendedLifetime(closed) {} }
    let free = closed.url
    try await withServer(desk) { url, _ in
      let advice = "nova serve runs at \(url): use --base-url \(url), or "
      let refused = try await desk.nova("followers", "x", "--base-url", free)
      #expect(refused.status == 6, "\(refused)")
      #expect(
        refused.errors.contains(advice + "`nova context add local --base-url \(url) --use`."), "\(refused.errors)")
      let missing = try await desk.nova("context", "add", "mine")
      #expect(missing.errors.contains("`nova context add mine --base-url \(url) --use`"), "\(missing.errors)")
      // A name that is taken is not suggested, unless its context is to be replaced.
      try await desk.nova("context", "add", "local", "--base-url", free)
      let port = try #require(url.split(separator: ":").last)
      try await desk.nova("context", "add", "local-\(port)", "--base-url", free)
      let taken = try await desk.nova("followers", "x", "--base-url", free)
      #expect(taken.errors.contains("`nova context add local-\(port)-2 --base-url"), "\(taken.errors)")
      let forced = try await desk.nova("context", "add", "local", "--force")
      #expect(forced.errors.contains("`nova context add local --base-url \(url) --use --force`"), "\(forced.errors)")
      try await desk.nova("context", "remove", "local")
      try await desk.nova("context", "add", "mine", "--base-url", url)
      let known = try await desk.nova("followers", "x", "--base-url", free)
      #expect(known.errors.contains(advice + "`nova context use mine`."), "\(known.errors)")
      try await desk.nova("context", "add", "local", "--base-url", free, "--use")
      let current = try await desk.nova("followers", "x")
      #expect(current.errors.contains("Context local is in use. nova serve runs at \(url)"), "\(current.errors)")
    }
    let ended = try await desk.nova("followers", "x", "--base-url", free)
    #expect(!ended.errors.contains("nova serve runs at"), "\(ended.errors)")
  }
}
