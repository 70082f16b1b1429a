#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread for work that waits for sockets, which Swift's own threads must not.
enum BackgroundThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own; false when the system has none left.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let pointer = Unmanaged.passRetained(Work(body)).toOpaque()
    if create(pointer) { return true }
    Unmanaged<Work>.fromOpaque(pointer).release()
    return false
  }

  private static func create(_ context: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, nil, runBackgroundThread, context)
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      if status == 0 { pthread_detach(thread) }
    #endif
    return status == 0
  }

  fileprivate static func run(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
  }
}

#if canImport(Darwin)
  private func runBackgroundThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    BackgroundThread.run(context)
    return nil
  }
#else
  private func runBackgroundThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { BackgroundThread.run(context) }
    return nil
  }
#endif
