import NovaLibc

/// A thread for blocking system calls. It does not use Foundation, because programs can link NovaTesting.
package enum DetachedThread {
  private static let stackSize = 512 * 1024

  /// Runs `body` on a new thread.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let box = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    // A number of glibc, and a pointer of the others.
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let status = pthread_create(&thread, &attributes, runThread, box)
    precondition(status == 0, "pthread_create failed with \(status)")
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
