#if Server
  import NIOCore
  import NIOPosix
  import NovaCore
  import NovaMock

  /// The bytes of an upload on their way from a connection to the disk. They are written on other threads; if those are
  /// slower than the client, or a fault limits the bandwidth, the connection is not read from.
  ///
  /// Confined to the connection's event loop.
  final class UploadIntake {
    /// How much is written at once. Twice as much can be in memory: one part is written while the next arrives.
    private static let pieceSize = 256 << 10

    private let chunk: IncomingChunk
    private let gate: InputGate
    private let timer: ConnectionTimer
    private let lease: MemoryLease
    private let clock: any CallClock
    private let eventLoop: any EventLoop
    private var parts = UploadParts()
    /// The bytes of the parts for which the lease had room.
    private var leased = 0
    private var isWriting = false
    private var isCancelled = false
    /// Called when everything is written.
    private var whenFinished: (() -> Void)?

    init(
      _ chunk: IncomingChunk, gate: InputGate, timer: ConnectionTimer, lease: MemoryLease, clock: any CallClock,
      eventLoop: any EventLoop
    ) {
      (self.chunk, self.gate, self.timer) = (chunk, gate, timer)
      (self.lease, self.clock, self.eventLoop) = (lease, clock, eventLoop)
    }

    func take(_ part: ByteBuffer) {
      let count = part.readableBytes
      let hasRoom = lease.add(count)
      if hasRoom { leased += count }
      parts.append(part)
      let isUrgent = !hasRoom || chunk.isLimited
      if !isWriting, parts.count >= Self.pieceSize || isUrgent { write() }
      if isWriting, parts.count >= Self.pieceSize || isUrgent { gate.hold() }
    }

    /// Calls `completion` once all bytes are written and validated.
    func finish(_ completion: @escaping () -> Void) {
      whenFinished = completion
      if !isWriting { write() }
    }

    /// The connection is closed.
    func cancel() {
      isCancelled = true
      whenFinished = nil
      lease.remove(leased)
      leased = 0
      parts = UploadParts()
      // A write in progress holds the chunk's lock.
      if !isWriting { chunk.cancel() }
    }

    private func write() {
      let (parts, count, isLast) = (parts, leased, whenFinished != nil)
      let size = parts.count
      (self.parts, leased, isWriting) = (UploadParts(), 0, true)
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      let chunk = chunk
      NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
        for part in parts.buffers { part.withUnsafeReadableBytes { chunk.append($0) } }
        if isLast { chunk.finish() }
      }.whenComplete { _ in bound.value.written(size, leased: count, isLast: isLast) }
    }

    private func written(_ size: Int, leased count: Int, isLast: Bool) {
      lease.remove(count)
      guard !isCancelled, let pause = chunk.pause(after: size, clock: clock) else { return proceed(isLast: isLast) }
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      timer.uploadPauses(for: .init(pause))
      eventLoop.scheduleTask(in: .init(pause)) { bound.value.proceed(isLast: isLast) }
    }

    private func proceed(isLast: Bool) {
      isWriting = false
      if isCancelled { return chunk.cancel() }
      if isLast {
        let completion = whenFinished
        whenFinished = nil
        completion?()
        return
      }
      if parts.count >= Self.pieceSize || whenFinished != nil { write() }
      guard whenFinished == nil else { return }
      gate.open()
      gate.drain()
    }
  }

  /// Parts of an upload in the order they arrived, as they arrived.
  private struct UploadParts {
    /// Smaller parts are copied together: each part keeps the memory that it was received in.
    private static let smallSize = 16 << 10

    private(set) var buffers: [ByteBuffer] = []
    private(set) var count = 0

    mutating func append(_ part: ByteBuffer) {
      var part = part
      count += part.readableBytes
      if let last = buffers.indices.last, part.readableBytes + buffers[last].readableBytes <= 4 * Self.smallSize,
        min(part.readableBytes, buffers[last].readableBytes) < Self.smallSize
      {
        buffers[last].writeBuffer(&part)
      } else {
        buffers.append(part)
      }
    }
  }
#endif
