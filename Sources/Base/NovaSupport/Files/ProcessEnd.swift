internal import NovaLibc

/// The steps to run when the program ends.
package enum ProcessEnd {
  private static let steps = Locked<[@Sendable () -> Void]>([])

  /// Adds a step that runs when the program ends, by ``exit(_:)`` or by the system's function of that name.
  package static func add(_ step: @escaping @Sendable () -> Void) {
    let isFirst = steps.withLock { steps in
      steps.append(step)
      return steps.count == 1
    }
    if isFirst { atexit { ProcessEnd.runSteps() } }
  }

  /// Runs the steps, and ends the program without the system's exit handlers. Those destroy memory of libraries and of
  /// the Swift runtime while threads of connections and tasks still use it, which aborts about one in thousands of
  /// successful runs.
  package static func exit(_ code: Int32) -> Never {
    runSteps()
    fflush(nil)
    _exit(code)
  }

  /// Runs the steps, and ends the program with a signal that it ignored or handled.
  package static func signal(_ number: Int32) {
    runSteps()
    fflush(nil)
    _ = NovaLibc.signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // Sends it to this thread, so that the thread does not continue before the signal arrives.
    raise(number)
  }

  private static func runSteps() {
    let taken = steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
    for step in taken.reversed() { step() }
  }
}
