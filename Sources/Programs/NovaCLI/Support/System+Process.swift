internal import CNovaProgram
import NovaCore
import NovaLibc

extension System {
  private static let ignoredPipes = Locked(false)

  /// Whether the program was started without standard output, as by `>&-`.
  static var isOutputMissing: Bool { nova_output_was_missing() }

  /// Checks that files and connections can be opened. Otherwise, Dispatch and libraries that are loaded later would end
  /// the program, or fail for a misleading reason.
  ///
  /// - Throws: ``Failure``.
  static func requireDescriptors(_ count: Int = 12) throws {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = SystemIO.descriptor("/dev/null", O_RDONLY)
      guard descriptor >= 0 else {
        throw Failure(
          "cannot open files and connections: \(SystemError.last.reason)",
          hint: "Allow more, for example with `ulimit -n 256`.",
          .failed)
      }
      opened.append(descriptor)
    }
  }

  /// Makes writing to a closed pipe or socket an error instead of terminating the program.
  static func ignoreWriteSignals() {
    let before = signal(SIGPIPE, SIG_IGN)
    let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    ignoredPipes.withLock { $0 = isIgnored }
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Undoes ``ignoreWriteSignals()`` for a program that takes the place of this one and inherits what is ignored.
  static func restoreWriteSignals() {
    if !ignoredPipes.withLock({ $0 }) { signal(SIGPIPE, SIG_DFL) }
    signal(SIGXFSZ, SIG_DFL)
  }

  /// Ends the program. If the reader has closed the output, it ends by the signal, like other programs: a shell reports
  /// 141, and `xargs` starts no further programs. If that signal was ignored from the start, 141 is the exit code.
  static func end(_ status: ExitStatus) -> Never {
    if status == .outputClosed, !ignoredPipes.withLock({ $0 }) { ProcessEnd.signal(SIGPIPE) }
    ProcessEnd.exit(status.rawValue)
  }
}

/// The arguments of the program.
enum ProcessArguments {
  /// All but the program's name, as texts of paths: they need not be UTF-8.
  static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    CommandLine.unsafeArgv[index].map { String(path: $0) }
  }
}
