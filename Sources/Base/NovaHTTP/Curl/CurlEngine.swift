internal import CNovaCurl
import NovaSupport

/// The transfers and their libcurl handles, on one multi handle. Only one thread at a time runs it, see ``CurlLoop``.
///
/// Each round (``run()``) starts transfers for which there is room, lets libcurl work on ready sockets, completes the
/// transfers that libcurl reports as done, and ends those whose deadline has passed. Between rounds, ``wait(atMost:)``
/// sleeps until a socket is ready, the next deadline, or a wakeup. A completed transfer succeeds, fails, follows a
/// redirect, or is restarted. Calls and event streams have separate lists, so that open streams never block a call. A
/// handle is used again after a clean end only.
final class CurlEngine {
  private let options: CurlTransport.Options
  private let multi: OpaquePointer
  let waker: CurlWaker
  private let shared: CurlShared
  private let calls: CurlTransfers
  /// Separate, so that no call waits for the end of a stream.
  private let streams: CurlTransfers
  private var idleHandles: [CurlHandle] = []
  /// The number of consecutive transfers that ran alone and took less time than switching threads.
  private var quickCount = 0

  private let quickTime: Int64
  /// The number of consecutive quick transfers after which the next one is expected to be quick, too.
  private static let quickStreak = 8

  init(_ shared: CurlShared) throws(TransportError) {
    if let problem = nova_curl_load() { throw .unavailable(String(cString: problem)) }
    let options = shared.options
    let limits = options.connections
    // For libcurl, 0 means no limit.
    let most = limits.maximumConnections.map { max(1, $0) } ?? 0
    let mostPerHost = limits.maximumConnectionsPerHost.map { max(1, $0) } ?? 0
    guard let multi = nova_curl_multi_new(most, mostPerHost) else {
      throw .unavailable("libcurl could not be initialized")
    }
    calls = CurlTransfers(limit: limits.maximumTransfers)
    streams = CurlTransfers(limit: limits.maximumStreams)
    self.options = options
    quickTime = options.quickTransferTime.clampedNanoseconds
    self.multi = multi
    waker = CurlWaker(multi)
    self.shared = shared
    shared.reset()
    keepConnections()
  }

  deinit {
    // Handles must leave the multi handle before it is freed. `failAll` has removed all of them.
    idleHandles = []
    nova_curl_multi_close(multi)
  }

  /// Whether there is no transfer.
  var isIdle: Bool { calls.first == nil && streams.first == nil }

  /// Whether calls come one at a time, and the server responds so fast that the caller can run its transfer itself.
  var isForOneCaller: Bool { quickCount >= Self.quickStreak }

  /// Whether a waiting transfer can start.
  var hasWorkToStart: Bool { calls.hasWorkToStart || streams.hasWorkToStart }

  func take(_ inbox: CurlInbox) {
    // The loop may have slept since the last reading. Otherwise, a resumed transfer would look idle since before its
    // pause.
    shared.readClock()
    for transfer in inbox.submissions {
      if !isIdle { quickCount = 0 }
      transfer.begin()
      transfers(like: transfer).append(transfer)
      shared.scheduleCheck(at: transfer.turnDeadline)
    }
    for transfer in inbox.resumptions where transfer.isUnderWay { resume(transfer) }
    for transfer in inbox.cancellations where transfer.isUnderWay { finish(transfer, throwing: CancellationError()) }
  }

  /// Does everything that is possible without waiting.
  func run() throws(TransportError) {
    shared.readClock()
    startWaiting()
    if let problem = nova_curl_perform(multi) {
      throw TransportError(.other, "libcurl failed", reason: String(cString: problem), requestMayHaveLeft: true)
    }
    takeFinished()
    failOverdue()
  }

  /// Waits for the network, the next deadline, or a wakeup.
  ///
  /// - Parameter limit: the maximum wait in milliseconds.
  func wait(atMost limit: Int64 = 600_000) {
    shared.readClock()
    // Rounds up, because waking just before a deadline would repeat the wait again and again.
    let milliseconds = max(0, shared.nextDeadline.addingClamped(-shared.now).addingClamped(999_999) / 1_000_000)
    nova_curl_wait(multi, Int32(clamping: min(milliseconds, limit)))
  }

  func failAll(_ error: TransportError) {
    while let transfer = calls.first ?? streams.first {
      var error = error
      error.requestMayHaveLeft = transfer.requestMayHaveLeft
      finish(transfer, throwing: error)
    }
  }
}

extension CurlEngine {
  private func transfers(like transfer: CurlTransfer) -> CurlTransfers { transfer.isStream ? streams : calls }

  /// libcurl counts connections in use among those that it keeps. Adds those of streams, so that they don't take the
  /// place of a call's connection.
  private func keepConnections() {
    let limits = options.connections
    let kept = max(1, limits.maximumKeptConnections ?? limits.maximumTransfers)
    nova_curl_multi_keep(multi, kept + streams.runningCount)
  }

  private func startWaiting() {
    startWaiting(of: calls)
    guard streams.hasWorkToStart else { return }
    startWaiting(of: streams)
    keepConnections()
  }

  private func startWaiting(of transfers: CurlTransfers) {
    while let transfer = transfers.startNext() {
      guard let handle = idleHandles.popLast() ?? CurlHandle(options: options, multi: multi) else {
        finish(transfer, throwing: TransportError.unavailable("libcurl could not create a handle"))
        continue
      }
      handle.transfer = .passUnretained(transfer)
      transfer.handle = handle
      do {
        try transfer.open()
        start(transfer, on: handle)
      } catch {
        finish(transfer, throwing: error)
      }
    }
  }

  private func start(_ transfer: CurlTransfer, on handle: CurlHandle) {
    shared.scheduleCheck(at: shared.now.addingClamped(transfer.idleTimeout))
    var code = handle.prepare(transfer)
    if code == CURLE_OK, nova_curl_add(multi, handle.easy) != CURLM_OK { code = CURLE_FAILED_INIT }
    if code != CURLE_OK { finish(transfer, throwing: CurlFailure(code, transfer).error) }
  }

  @inline(never)
  private func resume(_ transfer: CurlTransfer) {
    let code = transfer.resume()
    guard code == CURLE_OK else { return finish(transfer, throwing: CurlFailure(code, transfer).error) }
    shared.scheduleCheck(at: transfer.nextDeadline)
  }

  /// Informs all transfers on a connection which streams its server will not process. libcurl reported it to one
  /// transfer only, the one that was reading.
  @inline(never)
  private func tellOfGoaways() {
    for (connection, lastStream) in shared.goaways {
      for transfers in [calls, streams] {
        var next = transfers.first
        while let transfer = next {
          transfer.receiveGoaway(lastStream: lastStream, of: connection)
          next = transfer.next
        }
      }
    }
    shared.goaways = []
  }

  private func takeFinished() {
    if !shared.goaways.isEmpty { tellOfGoaways() }
    var context: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while nova_curl_next_finished(multi, &context, &code) {
      guard let context else { continue }
      let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
      guard let transfer = handle.transfer?.takeUnretainedValue() else { continue }
      nova_curl_remove(multi, handle.easy)
      complete(transfer, on: handle, with: code)
    }
  }

  private func complete(_ transfer: CurlTransfer, on handle: CurlHandle, with code: CURLcode) {
    if transfer.head.receivedBytes > 0 {
      shared.noteResponse()
      shared.connections.note(transfer.connection, isHTTP2: transfer.head.isHTTP2)
    }
    if code != CURLE_OK, transfer.mayRestart(after: code) {
      transfer.prepareRestart(random: .random(in: 0..<1))
      return transfer.restartTime == nil ? start(transfer, on: handle) : shared.scheduleCheck(at: transfer.nextDeadline)
    }
    let isUnreadable = transfer.isUnreadableFailure(code)
    guard code == CURLE_OK || isUnreadable, transfer.failure == nil, transfer.head.isComplete else {
      return finish(transfer, throwing: transfer.bodyFailure ?? CurlFailure(code, transfer).error)
    }
    do {
      if let target = try transfer.redirectTarget(maximum: options.maximumRedirects) {
        try transfer.follow(to: target)
        return start(transfer, on: handle)
      }
    } catch {
      return finish(transfer, throwing: error)
    }
    // After a second try, libcurl keeps a count in the handle, and would give up early the next time.
    if !isUnreadable, transfer.readyCount <= 1, idleHandles.count < max(1, options.connections.maximumTransfers) {
      handle.clear()
      idleHandles.append(handle)
    }
    quickCount = shared.now.addingClamped(-transfer.began) < quickTime ? quickCount + 1 : 0
    forget(transfer)
    transfer.succeed()
  }

  private func failOverdue() {
    guard shared.takeDeadline() else { return }
    failOverdue(in: calls)
    failOverdue(in: streams)
  }

  private func failOverdue(in transfers: CurlTransfers) {
    var next = transfers.first
    while let transfer = next {
      next = transfer.next
      if let error = transfer.overdue() {
        finish(transfer, throwing: error)
      } else if let handle = transfer.handle, transfer.endPause() {
        start(transfer, on: handle)
      } else if transfer.mayBeComplete {
        resume(transfer)
      } else {
        shared.scheduleCheck(at: transfer.nextDeadline)
      }
    }
  }

  /// Ends a transfer in any state. Its handle is freed, because only a clean end leaves a reusable one.
  @inline(never)
  private func finish(_ transfer: CurlTransfer, throwing error: any Error) {
    quickCount = 0
    if let handle = transfer.handle { nova_curl_remove(multi, handle.easy) }
    forget(transfer)
    transfer.fail(error)
  }

  private func forget(_ transfer: CurlTransfer) {
    transfer.handle?.transfer = nil
    transfer.handle = nil
    transfers(like: transfer).remove(transfer)
    if transfer.isStream { keepConnections() }
  }
}

/// Wakes the thread that runs the engine. Has no effect after the engine is freed.
final class CurlWaker: @unchecked Sendable {
  // Sendable, because any thread may call nova_curl_wake(), even after nova_curl_multi_close(). The memory lives until
  // the last reference is gone.
  private let multi: OpaquePointer

  fileprivate init(_ multi: OpaquePointer) { self.multi = multi }

  deinit { nova_curl_multi_free(multi) }

  func wake() { nova_curl_wake(multi) }
}

extension TransportError {
  static func unavailable(_ message: String) -> TransportError {
    TransportError(.unavailable, message, requestMayHaveLeft: false)
  }
}
