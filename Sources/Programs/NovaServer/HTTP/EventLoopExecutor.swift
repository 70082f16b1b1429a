#if Server
  import NIOCore

  /// Runs tasks on an event loop, so that a call that does not wait is handled without switching threads.
  final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
