#if GRPC
  internal import CNovaCurl
  internal import CNovaHTTP2
  internal import NovaLibc
  import NovaSupport

  /// Connects tasks to the state of the transport, which is behind one lock.
  ///
  /// A task that makes a call adds it to the session of a connection, and writes the session's output itself, unless
  /// another task is writing: then that one writes both. One thread, the reader, waits for the sockets, reads, resumes
  /// the tasks, and looks after deadlines. Sockets are read and written, and tasks resumed, without the lock.
  final class HTTP2Engine: @unchecked Sendable {
    // Sendable, because `core` is used only while the lock is held.
    let options: HTTP2Transport.Options
    private let lock = HTTP2Lock()
    private let core: HTTP2Core

    init(options: HTTP2Transport.Options) {
      self.options = options
      core = HTTP2Core(options: options)
    }

    /// Changes the state, and then does what the change leads to.
    func locked<Result>(_ body: (HTTP2Core) -> Result) -> Result {
      lock.acquire()
      let result = body(core)
      let effects = core.takeEffects()
      lock.release()
      if let effects { perform(effects) }
      return result
    }

    /// Adds a call. Its continuation is resumed exactly once.
    func submit(_ call: HTTP2Call, _ continuation: CheckedContinuation<HTTP2Outcome, any Error>) {
      locked { core in
        call.continuation = continuation
        // A cancellation that found no continuation took this lock earlier, so the flag is set by now.
        if Task.isCancelled { return core.refuse(call, CancellationError()) }
        if core.phase == .notStarted, let problem = start(core) { return core.refuse(call, problem) }
        guard core.phase == .running else {
          return core.refuse(call, TransportError.shutDown(requestMayHaveLeft: false))
        }
        core.now = max(core.now, call.began)
        core.begin(call)
      }
    }

    /// Ends a call and resets its stream. Does nothing if it has ended, or was never submitted.
    func cancel(_ call: HTTP2Call) {
      locked { core in core.cancel(call) }
    }

    /// Reads the next bytes of a streamed response.
    func read(_ call: HTTP2Call, _ reader: CheckedContinuation<[UInt8]?, any Error>) {
      locked { core in
        core.readClock()
        core.read(call, reader)
      }
    }

    /// The trailers of a streamed response; nil until it has ended.
    func trailers(of call: HTTP2Call) -> HTTPHeaders? {
      let block = locked { _ in call.isComplete ? call.trailers : nil }
      return block?.headers
    }

    /// Ends all calls, closes all connections, and makes the thread end. Does not wait.
    func stop() {
      locked { core in core.stop() }
    }

    func stopAndWait() async {
      stop()
      await withCheckedContinuation { continuation in locked { core in core.awaitEnd(continuation) } }
    }
  }

  extension HTTP2Engine {
    /// Starts the reader. Called with the lock held.
    private func start(_ core: HTTP2Core) -> TransportError? {
      for problem in [nova_curl_load(), nova_h2_load()] {
        if let problem { return .unavailable(String(cString: problem)) }
      }
      guard let poller = nova_h2_poller_new() else {
        return .unavailable("no sockets can be observed: \(SystemError.last.reason)")
      }
      core.poller = poller
      let status = nova_thread_start(
        { HTTP2Reader(Unmanaged<HTTP2Engine>.fromOpaque($0).takeRetainedValue()).run() },
        Unmanaged.passRetained(self).toOpaque())
      guard status != 0 else {
        core.phase = .running
        return nil
      }
      Unmanaged.passUnretained(self).release()
      core.poller = nil
      nova_h2_poller_free(poller)
      return .unavailable("no thread could be started (errno \(status))")
    }

    private func perform(_ effects: HTTP2Effects) {
      effects.resumeAll()
      for connection in effects.writes { write(connection) }
      for dial in effects.dials { dial.start(on: self) }
      for lookup in effects.lookups { lookup.start(on: self) }
    }

    /// Writes the output of a connection until all is written, or the socket is full. Only the connection's writer may
    /// call it.
    func write(_ connection: HTTP2Connection) {
      while let (bytes, count) = connection.session.output {
        let progress = connection.socket.write(bytes, count: count)
        guard locked({ core in core.hasWritten(connection, progress) }) else { return }
      }
    }
  }

  /// A lock that the thread sanitizer recognizes.
  final class HTTP2Lock: @unchecked Sendable {
    // Sendable, because a mutex is for several threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      let status = pthread_mutex_init(mutex, nil)
      precondition(status == 0, "pthread_mutex_init failed with \(status)")
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func acquire() { pthread_mutex_lock(mutex) }

    func release() { pthread_mutex_unlock(mutex) }
  }
#endif
