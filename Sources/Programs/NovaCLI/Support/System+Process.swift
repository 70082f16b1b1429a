internal import CNovaProgram
import NovaCore
import NovaLibc

extension System {
  private static let ignoredPipes = Locked(false)

  /// Whether the program was started without standard output, as by `>&-`.
  static var isOutputMissing: Bool { nova_output_was_missing() }

  /// Checks that files and connections can be opened. Without any, Dispatch and libraries that are loaded later end the
  /// program, or fail with a reason that is not this one.
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

  /// Ends the program. When the reader of its output has gone, it ends by the signal, as other programs do: a shell shows
  /// 141, and `xargs` starts no further ones. Where that signal was ignored from the start, 141 is its exit code.
  static func end(_ status: ExitStatus) -> Never {
    if status == .outputClosed, !ignoredPipes.withLock({ $0 }) { ProcessEnd.signal(SIGPIPE) }
    ProcessEnd.exit(status.rawValue)
  }
}

/// The arguments of the program.
enum ProcessArguments {
  /// All but the program's name, as texts of paths: they need not be UTF-8.
  static let all: [String] = {
    var texts: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      if let argument = CommandLine.unsafeArgv[index] { texts.append(String(path: argument)) }
    }
    return texts
  }()
}
