import Foundation
import NovaCore
import NovaTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A terminal without a screen, on which `nova` runs: what it writes can be read, and keys can be typed.
final class PseudoTerminal: Sendable {
  private let master: FileHandle
  private let process: Locked<Process>
  private let seen = Locked<[UInt8]>([])

  /// Starts `nova` on a terminal of this size.
  ///
  /// - Parameters:
  ///   - showsErrors: whether standard error is the terminal, too.
  ///   - readsKeys: whether standard input is the terminal, too.
  init(
    _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, showsErrors: Bool = false,
    readsKeys: Bool = false, environment: [String: String] = [:]
  ) throws {
    var (descriptor, other): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&descriptor, &other, nil, nil, &size) == 0 else {
      throw ProgramRun.Failure(description: "no pseudo terminal: \(errno)")
    }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let process = Process()
    process.executableURL = try ProgramRun.program()
    process.arguments = arguments
    process.environment = ProgramRun.environment.merging(["TERM": "xterm", "TZ": "UTC0", "HOME": "/dev/null/none"]) {
      $1
    }
    .merging(environment) { $1 }
    let screen = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.standardInput = readsKeys ? screen : FileHandle.nullDevice
    process.standardOutput = screen
    process.standardError = showsErrors ? screen : FileHandle.nullDevice
    try process.run()
    self.process = Locked(process)
    // A thread of its own: reading waits, and at the end of the other side it fails.
    Thread.detachNewThread { [seen, descriptor] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
        let part = Array(chunk[..<count])
        seen.withLock { $0 += part }
      }
    }
  }

  deinit {
    process.withLock { if $0.isRunning { _ = kill($0.processIdentifier, SIGKILL) } }
    Canary.capture(output)
  }

  /// All that was written so far.
  var output: String { String(decoding: seen.withLock { $0 }, as: UTF8.self) }

  /// Types these keys.
  func type(_ keys: String) throws { try master.write(contentsOf: Data(keys.utf8)) }

  var processIdentifier: Int32 { process.withLock { $0.processIdentifier } }

  func signal(_ number: Int32) { process.withLock { _ = kill($0.processIdentifier, number) } }

  /// Returns once this was written.
  func wait(for part: String) async throws {
    for _ in 0..<1500 {
      if output.contains(part) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProgramRun.Failure(description: "it did not write \(part); it wrote \(output.debugDescription)")
  }

  /// The exit code, once it ended.
  func status() async throws -> Int32 {
    for _ in 0..<1500 {
      if !process.withLock({ $0.isRunning }) { return process.withLock { $0.terminationStatus } }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProgramRun.Failure(description: "it does not end")
  }
}
