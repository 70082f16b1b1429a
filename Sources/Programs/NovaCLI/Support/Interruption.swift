import Dispatch
import NovaCore
import NovaLibc

/// A signal that stops the program, for example from Ctrl-C or `kill`.
struct Interrupted: Error {}

/// Cancels the program's task on a signal.
///
/// Until ``begin(_:grace:)`` is called, signals have their default effect: a program that waits for input ends at once.
enum Interruption {
  private struct State {
    var task: Task<Void, any Error>?
    var signals = 0
    /// The first signal.
    var first: Int32?
    var source: (any DispatchSourceRead)?
    /// Whether the program was asked to stop, by Ctrl-Z, and has not yet.
    var mustStop = false
    /// The signals that are watched during a prompt.
    var ofPrompt: [Int32] = []
    /// A signal among the rare ones, after which the prompt ends the program.
    var rare: Int32?
  }

  /// The signals that ask a program to end: Ctrl-C, `kill`, the end of the terminal, Ctrl-\.
  static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Those that end a server, which outlives its terminal.
  static let ofServer = [SIGINT, SIGTERM]

  /// All others that end a program by default, except those of a crash, after which no code can be trusted.
  private static let rare: [Int32] = {
    let common = [SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU]
    #if os(Linux)
      // The real-time signals. C libraries use those before 35.
      return common + [SIGPOLL, SIGPWR, SIGSTKFLT] + Array(35...64)
    #else
      return common
    #endif
  }()

  private static let state = Locked(State())

  /// Whether a signal was received.
  static var happened: Bool { state.withLock { $0.signals > 0 || $0.rare != nil } }

  /// The exit code after a signal: 128 plus the signal's number, as in shells.
  static var status: ExitStatus {
    state.withLock { $0.first }.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .interrupted
  }

  /// Runs the program's work as a task that signals can cancel.
  static func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await work() }
    state.withLock { $0.task = task }
    try await task.value
  }

  /// From here on the first of these signals cancels the work, and the second ends the program at once, as does work
  /// that continues for `grace` seconds after it was cancelled. Only the first call has an effect.
  static func begin(_ signals: [Int32] = all, grace: Int = 2) {
    guard state.withLock({ $0.source == nil }), let readEnd = SignalPipe.open() else { return }
    state.withLock { $0.source = source(readEnd, grace) }
    for signal in signals { _ = SignalPipe.watch(signal) }
  }

  /// Until ``endPrompt()``, Ctrl-Z and its signal do not stop the program at once: ``takeStop()`` reports them, so that the
  /// program can restore the terminal first. Signals that end the program restore it, too. Call ``begin(_:grace:)``
  /// before.
  static func beginPrompt() {
    let watched = [SIGTSTP].filter(SignalPipe.watch) + rare.filter(SignalPipe.watchUnlessHandled)
    state.withLock { $0.ofPrompt = watched }
  }

  static func endPrompt() {
    let (watched, rare) = state.withLock { state in
      defer { state.ofPrompt = [] }
      return (state.ofPrompt, state.rare)
    }
    watched.forEach(SignalPipe.unwatch)
    if let rare { exitNow(after: rare) }
  }

  /// Stops the program as Ctrl-Z does by default, until it is continued. The system does not stop a program that no shell
  /// could continue: one whose process group is orphaned.
  static func stop() {
    SignalPipe.unwatch(SIGTSTP)
    // To this thread, so that it does not continue before the signal arrives.
    raise(SIGTSTP)
    _ = SignalPipe.watch(SIGTSTP)
  }

  /// Whether a signal has asked the program to stop since the last call.
  static func takeStop() -> Bool {
    state.withLock { state in
      defer { state.mustStop = false }
      return state.mustStop
    }
  }

  private static func source(_ readEnd: Int32, _ grace: Int) -> sending any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
    source.setEventHandler {
      var byte: UInt8 = 0
      if read(readEnd, &byte, 1) == 1 { received(Int32(byte), grace) }
    }
    source.resume()
    return source
  }

  private static func received(_ signal: Int32, _ grace: Int) {
    if signal == SIGTSTP { return state.withLock { $0.mustStop = true } }
    if !all.contains(signal) {
      // The prompt ends first: a key that was typed just before must not be shown.
      let hasPrompt = state.withLock { state in
        state.rare = state.rare ?? signal
        return !state.ofPrompt.isEmpty
      }
      if hasPrompt { return }
      exitNow(after: signal)
    }
    let (task, count) = state.withLock { state in
      state.signals += 1
      state.first = state.first ?? signal
      return (state.task, state.signals)
    }
    if count > 1 { exitNow() }
    task?.cancel()
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(grace)) { exitNow() }
  }

  private static func exitNow() -> Never {
    restoreTerminal()
    System.exitNow(status)
  }

  private static func exitNow(after rare: Int32) -> Never {
    restoreTerminal()
    Diagnostics.write("")
    System.exitNow(afterSignal: rare)
  }

  private static func restoreTerminal() {
    TerminalCursor.show()
    TerminalEcho.restore()
  }
}

/// Carries signals to ordinary code: the handler writes their number to a pipe, where it waits until it is read. Unlike
/// a signal source of Dispatch it loses none, whatever is blocked where and however busy the machine is.
private enum SignalPipe {
  /// What the handler writes to. A handler can reach nothing but globals; this one is set before there is a handler, and
  /// never changed again.
  nonisolated(unsafe) private static var writeEnd: Int32 = -1

  /// The end to read from; nil when the system has no descriptors left.
  static func open() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd = ends[1]
    return ends[0]
  }

  /// Handles a signal, unless the program was started so that it ignores it.
  ///
  /// - Returns: whether it is handled.
  static func watch(_ number: Int32) -> Bool {
    let before = handle(number)
    // Programs started with `nohup` outlive their terminal. Shells without job control ignore its keys in programs that
    // they start with `&`.
    let isIgnored = number != SIGINT && number != SIGTERM && isSame(before, SIG_IGN)
    if isIgnored { signal(number, SIG_IGN) } else { unblock(number) }
    return !isIgnored
  }

  /// Handles a signal, unless a library does, or it is ignored.
  ///
  /// - Returns: whether it is handled.
  static func watchUnlessHandled(_ number: Int32) -> Bool {
    let before = handle(number)
    let isFree = isSame(before, SIG_DFL)
    if isFree { unblock(number) } else { signal(number, before) }
    return isFree
  }

  /// Gives a signal its default effect.
  static func unwatch(_ number: Int32) { signal(number, SIG_DFL) }

  private typealias Handler = @convention(c) (Int32) -> Void

  /// - Returns: the handler before.
  private static func handle(_ number: Int32) -> Handler? {
    signal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(SignalPipe.writeEnd, &byte, 1)
      errno = code
    }
  }

  private static func isSame(_ handler: Handler?, _ other: Handler?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  /// Unblocks a signal, which the parent process may have blocked.
  private static func unblock(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
