import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs the steps of a task one after the other on the main thread. With the threads of the default executor, how many
/// instructions go into waking and parking them would differ each time.
final class MainThread: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Does the work to its end.
  static func run(_ work: @escaping @Sendable () async throws -> Void) throws {
    let executor = MainThread()
    let result = Locked<Result<Void, any Error>?>(nil)
    Task(executorPreference: executor) {
      let end: Result<Void, any Error>
      do { end = .success(try await work()) } catch { end = .failure(error) }
      result.withLock { $0 = end }
    }
    while true {
      if let job = executor.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: executor.asUnownedTaskExecutor())
      } else if let result = result.withLock({ $0 }) {
        return try result.get()
      } else {
        // A timer or another thread has the next step.
        usleep(100)
      }
    }
  }
}
