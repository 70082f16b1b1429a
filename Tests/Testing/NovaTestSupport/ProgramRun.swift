public import Foundation

/// What a run of `nova` left behind.
public struct RunResult: Sendable {
  public let output: String
  public let errors: String
  /// The exit code, or 128 and the signal that ended it, as shells have it.
  public let status: Int32

  public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A run of the real program. Its output goes to files, so that nothing is lost and nothing blocks.
public final class ProgramRun: Sendable {
  private let process: LockedProcess
  private let directory: URL

  /// Starts `nova` or another program, in an empty directory unless one is given, and without the caller's NOVA_
  /// variables.
  public init(
    _ arguments: [String], executable: URL? = nil, input: String = "", environment: [String: String] = [:],
    directory current: URL? = nil
  ) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = try executable ?? Self.program()
    process.arguments = arguments
    process.currentDirectoryURL = current ?? directory
    // Nobody's own sessions are used, or changed.
    process.environment = Self.environment.merging(["HOME": directory.path]) { $1 }.merging(environment) { $1 }
    try Data(input.utf8).write(to: directory.appendingPathComponent("in"))
    process.standardInput = try FileHandle(forReadingFrom: directory.appendingPathComponent("in"))
    process.standardOutput = try Self.created(directory.appendingPathComponent("out"))
    process.standardError = try Self.created(directory.appendingPathComponent("err"))
    try process.run()
    // The program has them now. Foundation crashes when it starts programs among very many open descriptors.
    for handle in [process.standardInput, process.standardOutput, process.standardError] {
      try (handle as? FileHandle)?.close()
    }
    self.process = LockedProcess(process)
  }

  /// Starts `nova` with a limit on the size of files, in blocks of 512 bytes: a full disk to whoever writes.
  public convenience init(
    _ arguments: [String], onDiskOf blocks: Int, input: String = "", environment: [String: String] = [:]
  ) throws {
    let program = try Self.program().path
    // The thread sanitizer keeps a file in the directory for temporary ones, where it can, and dies of the limit.
    try self.init(
      ["-c", "ulimit -f \(blocks); exec \"$@\"", "sh", program] + arguments, executable: URL(filePath: "/bin/sh"),
      input: input, environment: ["TMPDIR": "/dev/null/none"].merging(environment) { $1 })
  }

  /// What programs get of the caller's environment: nothing that changes what they do, but for sanitizers and Tools/mutate.
  public static var environment: [String: String] {
    let names = ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "NOVA_MUTANT"]
    return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
  }

  deinit {
    process.kill()
    Canary.capture(output + errors)
    try? FileManager.default.removeItem(at: directory)
  }

  /// What it has written so far.
  public var output: String { text("out") }
  public var errors: String { text("err") }

  /// The number of its process, also of what it was replaced by.
  public var processIdentifier: Int32 { process.identifier }

  public func signal(_ number: Int32) { process.signal(number) }

  /// Waits until its output has this in it, and returns the output.
  @discardableResult public func waitForOutput(_ part: String) async throws -> String {
    try await wait(for: part) { self.output }
  }

  /// Waits until its errors have this in them, and returns the errors.
  @discardableResult public func waitForErrors(_ part: String) async throws -> String {
    try await wait(for: part) { self.errors }
  }

  private func wait(for part: String, in text: () -> String) async throws -> String {
    for _ in 0..<1500 {
      // Asked first: what it writes last counts, too.
      let isRunning = process.isRunning
      let text = text()
      if text.contains(part) { return text }
      guard isRunning else { throw Failure(description: "it ended without \(part): \(output)\(errors)") }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure(description: "it did not write \(part); it wrote \(output)\(errors)")
  }

  /// Waits for its end.
  public func result() async throws -> RunResult {
    for _ in 0..<12000 {
      if !process.isRunning { return RunResult(output: output, errors: errors, status: process.status) }
      try await Task.sleep(for: .milliseconds(10))
    }
    process.kill()
    throw Failure(description: "it does not end; it wrote \(output)\(errors)")
  }

  /// It did not do what was waited for.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
  }

  private func text(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: directory.appendingPathComponent(name))) ?? Data(), as: UTF8.self)
  }

  private static func created(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  /// A built program: it lies beside the test bundle, or in a directory around it.
  public static func program(_ name: String = "nova") throws -> URL {
    var candidates = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 }
    candidates += CommandLine.arguments.prefix(1).map { URL(fileURLWithPath: $0) }
    for candidate in candidates {
      var directory = candidate
      for _ in 0..<5 {
        let program = directory.appendingPathComponent(name)
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: program.path, isDirectory: &isDirectory), !isDirectory.boolValue {
          return program
        }
        directory = directory.deletingLastPathComponent()
      }
    }
    throw Failure(description: "\(name) is not where the tests are: \(candidates)")
  }
}

/// `Process` from any task.
private final class LockedProcess: @unchecked Sendable {
  // Sendable because the process is only touched under the lock.
  private let lock = NSLock()
  private let process: Process

  init(_ process: Process) { self.process = process }

  var isRunning: Bool { lock.withLock { process.isRunning } }

  var identifier: Int32 { lock.withLock { process.processIdentifier } }

  var status: Int32 {
    lock.withLock {
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
  }

  func signal(_ number: Int32) {
    lock.withLock { if process.isRunning { _ = Foundation.kill(process.processIdentifier, number) } }
  }

  func kill() { signal(SIGKILL) }
}

/// Runs `nova` to its end.
public func nova(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws
  -> RunResult
{
  try await ProgramRun(arguments, input: input, environment: environment).result()
}

/// Everything that `nova` writes, to either output.
public func novaSays(
  _ arguments: [String], input: String = "", environment: [String: String] = [:]
) async throws -> String {
  let result = try await ProgramRun(arguments, input: input, environment: environment).result()
  return result.output + result.errors
}
