#if Server
  import NIOCore

  /// Runs tasks on an event loop: a call that need not wait is answered without a change of thread.
  final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
