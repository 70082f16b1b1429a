import Foundation
import NovaCore
import NovaLibc
import NovaTestSupport

/// A terminal without a screen, on which `nova` runs: what it writes can be read, and keys can be typed.
final class PseudoTerminal: Sendable {
  private let master: FileHandle
  /// The end of the program, if it outlives it.
  private let kept: FileHandle?
  private let process: Locked<Process>
  private let screen = Locked(Screen())
  /// What the test writes to a terminal that outlives the program, after the program.
  private static let end: UInt8 = 0

  private struct Screen {
    var seen: [UInt8] = []
    /// Nobody writes any more, and all that was written is seen.
    var isComplete = false
  }

  /// Starts `nova` on a terminal of this size.
  ///
  /// - Parameters:
  ///   - showsErrors: whether standard error is the terminal, too.
  ///   - readsKeys: whether standard input is the terminal, too.
  ///   - isKept: whether the terminal outlives the program, as that of a shell does.
  ///   - launcher: the words of a command that starts it, such as `setsid`.
  init(
    _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, showsErrors: Bool = false,
    readsKeys: Bool = false, isKept: Bool = false, launcher: [String] = [], environment: [String: String] = [:]
  ) throws {
    var (descriptor, other): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&descriptor, &other, nil, nil, &size) == 0 else {
      throw ProgramRun.Failure(description: "no pseudo terminal: \(errno)")
    }
    for end in [descriptor, other] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let process = Process()
    let program = try ProgramRun.program()
    process.executableURL = launcher.isEmpty ? program : URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = launcher.isEmpty ? arguments : launcher + [program.path] + arguments
    process.environment = ProgramRun.environment.merging(["TERM": "xterm", "TZ": "UTC0", "HOME": "/dev/null/none"]) {
      $1
    }
    .merging(environment) { $1 }
    let terminal = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.standardInput = readsKeys ? terminal : FileHandle.nullDevice
    process.standardOutput = terminal
    process.standardError = showsErrors ? terminal : FileHandle.nullDevice
    try process.run()
    // The program has it now: reading ends with the last who has it.
    kept = isKept ? terminal : nil
    if !isKept { try terminal.close() }
    self.process = Locked(process)
    // A thread of its own: reading waits, and at the end of the other side it fails. It keeps the descriptor, whose
    // number would soon be another file's.
    Thread.detachNewThread { [screen, master] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(master.fileDescriptor, &chunk, chunk.count), count > 0 {
        let part = Array(chunk[..<count])
        screen.withLock { screen in
          screen.isComplete = part.last == Self.end
          screen.seen += screen.isComplete ? part.dropLast() : part
        }
      }
      screen.withLock { $0.isComplete = true }
    }
  }

  deinit {
    process.withLock { if $0.isRunning { _ = kill($0.processIdentifier, SIGKILL) } }
    Canary.capture(output)
  }

  /// All that was written so far.
  var output: String { String(decoding: screen.withLock { $0.seen }, as: UTF8.self) }

  /// Types these keys.
  func type(_ keys: String) throws { try master.write(contentsOf: Data(keys.utf8)) }

  var processIdentifier: Int32 { process.withLock { $0.processIdentifier } }

  func signal(_ number: Int32) { process.withLock { _ = kill($0.processIdentifier, number) } }

  /// Whether the terminal shows what is typed.
  var showsKeys: Bool { attributes.c_lflag & tcflag_t(ECHO) != 0 }

  /// Shows what is typed, as a shell does before it reads its own commands.
  func showKeys() {
    var attributes = attributes
    attributes.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(master.fileDescriptor, TCSANOW, &attributes)
  }

  private var attributes: termios {
    var attributes = termios()
    tcgetattr(master.fileDescriptor, &attributes)
    return attributes
  }

  /// Returns once the terminal shows what is typed, or does not.
  func wait(untilItShowsKeys shows: Bool) async throws {
    for _ in 0..<1500 where showsKeys != shows { try await Task.sleep(for: .milliseconds(20)) }
    guard showsKeys == shows else { throw ProgramRun.Failure(description: "it shows keys: \(!shows)") }
  }

  /// Returns once the program is stopped.
  func waitForStop() async throws {
    for _ in 0..<1500 {
      let status = (try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)) ?? ""
      if status.contains(") T ") { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProgramRun.Failure(description: "it does not stop")
  }

  /// Returns once this was written, so many times.
  func wait(for part: String, count: Int = 1) async throws {
    for _ in 0..<1500 {
      let isComplete = screen.withLock { $0.isComplete }
      // By bytes: a line break of a terminal is one character.
      if screen.withLock({ $0.seen }).ranges(of: Array(part.utf8)).count >= count { return }
      if isComplete { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProgramRun.Failure(description: "it did not write \(part); it wrote \(output.debugDescription)")
  }

  /// The exit code, once it ended and all that it wrote is in ``output``.
  func status() async throws -> Int32 {
    var isEnded = kept == nil
    for _ in 0..<1500 {
      if !process.withLock({ $0.isRunning }) {
        // Arrives after all that the program wrote.
        if !isEnded { try kept?.write(contentsOf: Data([Self.end])) }
        isEnded = true
        if screen.withLock({ $0.isComplete }) { return process.withLock { $0.terminationStatus } }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProgramRun.Failure(description: "it does not end; it wrote \(output.debugDescription)")
  }
}
