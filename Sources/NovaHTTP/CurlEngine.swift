internal import CNovaCurl
import NovaSupport

/// The transfers and their libcurl handles. One thread at a time runs it, see ``CurlLoop``.
final class CurlEngine {
  private let options: CurlTransport.Options
  private let multi: OpaquePointer
  let waker: CurlWaker
  private let shared: CurlShared
  private let transfers = CurlTransfers()
  private var idleHandles: [CurlHandle] = []
  private var runningCount = 0
  /// How many transfers in a row were alone and took less time than switching threads takes.
  private var quickCount = 0

  private let quickTime: Int64
  /// How many quick transfers in a row show that the next one will be quick, too.
  private static let quickStreak = 8

  init(_ shared: CurlShared) throws(TransportError) {
    if let problem = nova_curl_load() { throw .unavailable(String(cString: problem)) }
    let options = shared.options
    let limit = max(1, options.maximumConcurrentTransfers)
    guard let multi = nova_curl_multi_new(limit, max(0, options.maximumConnectionsPerHost ?? 0)) else {
      throw .unavailable("libcurl could not be initialised")
    }
    self.options = options
    quickTime = options.quickTransferTime.clampedNanoseconds
    self.multi = multi
    waker = CurlWaker(multi)
    self.shared = shared
    shared.startAnew()
  }

  deinit {
    // Handles must leave the multi handle before it goes, and they have: `failAll` comes first.
    idleHandles = []
    nova_curl_multi_close(multi)
  }

  /// Whether it has nothing to transfer.
  var isIdle: Bool { transfers.first == nil }

  /// Whether one call at a time is made, to a server that responds so fast that its caller can wait for the response.
  var isForOneCaller: Bool { quickCount >= Self.quickStreak }

  /// Whether a transfer waits though there is room for it.
  var hasWorkToStart: Bool {
    transfers.firstWaiting != nil && runningCount < max(1, options.maximumConcurrentTransfers)
  }

  func take(_ inbox: CurlInbox) {
    // The loop may have slept since: a transfer that resumes is not idle from before its pause.
    shared.readClock()
    for transfer in inbox.submissions {
      if !isIdle { quickCount = 0 }
      transfer.begin()
      transfers.append(transfer)
      shared.look(at: transfer.deadline)
    }
    for transfer in inbox.resumptions where transfer.isUnderWay { resume(transfer) }
    for transfer in inbox.cancellations where transfer.isUnderWay { finish(transfer, throwing: CancellationError()) }
  }

  /// Does what can be done without waiting.
  func run() throws(TransportError) {
    shared.readClock()
    startWaiting()
    if let problem = nova_curl_perform(multi) {
      throw TransportError(.other, "libcurl failed: \(String(cString: problem))", requestMayHaveLeft: true)
    }
    takeFinished()
    failOverdue()
  }

  /// Waits for the network, the next deadline or the waker.
  ///
  /// - Parameter limit: the longest wait in milliseconds.
  func wait(atMost limit: Int64 = 600_000) {
    shared.readClock()
    // Rounded up, lest a deadline is just missed again and again.
    let milliseconds = max(0, shared.nextDeadline.addingClamped(-shared.now).addingClamped(999_999) / 1_000_000)
    nova_curl_wait(multi, Int32(clamping: min(milliseconds, limit)))
  }

  func failAll(_ error: TransportError) {
    while let transfer = transfers.first {
      var error = error
      error.requestMayHaveLeft = transfer.requestMayHaveLeft
      finish(transfer, throwing: error)
    }
  }
}

extension CurlEngine {
  private func startWaiting() {
    while hasWorkToStart, let transfer = transfers.startNext() {
      guard let handle = idleHandles.popLast() ?? CurlHandle(options: options, multi: multi) else {
        finish(transfer, throwing: TransportError.unavailable("libcurl could not make a handle"))
        continue
      }
      runningCount += 1
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
    shared.look(at: shared.now.addingClamped(transfer.idleTimeout))
    var code = handle.prepare(transfer)
    if code == CURLE_OK, nova_curl_add(multi, handle.easy) != CURLM_OK { code = CURLE_FAILED_INIT }
    if code != CURLE_OK { finish(transfer, throwing: CurlFailure(code, transfer).error) }
  }

  @inline(never)
  private func resume(_ transfer: CurlTransfer) {
    let code = transfer.resume()
    guard code == CURLE_OK else { return finish(transfer, throwing: CurlFailure(code, transfer).error) }
    shared.look(at: transfer.nextDeadline)
  }

  private func takeFinished() {
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
      shared.connections.note(transfer.connection, isHTTP2: transfer.head.isHTTP2)
    }
    guard code == CURLE_OK, transfer.failure == nil, transfer.head.isComplete else {
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
    // A handle that libcurl has used for a second try keeps count of it, and gives up early the next time.
    if transfer.readyCount <= 1 { handle.clear(); idleHandles.append(handle) }
    quickCount = shared.now.addingClamped(-transfer.began) < quickTime ? quickCount + 1 : 0
    forget(transfer)
    transfer.succeed()
  }

  private func failOverdue() {
    guard shared.takeDeadline() else { return }
    var next = transfers.first
    while let transfer = next {
      next = transfer.next
      if let error = transfer.overdue() {
        finish(transfer, throwing: error)
      } else if transfer.mayBeComplete {
        resume(transfer)
      } else {
        shared.look(at: transfer.nextDeadline)
      }
    }
  }

  /// Ends a transfer wherever it stands. Its handle goes with it: only a clean end leaves one fit for use.
  @inline(never)
  private func finish(_ transfer: CurlTransfer, throwing error: any Error) {
    quickCount = 0
    if let handle = transfer.handle { nova_curl_remove(multi, handle.easy) }
    forget(transfer)
    transfer.fail(error)
  }

  private func forget(_ transfer: CurlTransfer) {
    if transfer.handle != nil { runningCount -= 1 }
    transfer.handle?.transfer = nil
    transfer.handle = nil
    transfers.remove(transfer)
  }
}

/// Wakes the engine's runner. May be used after the engine has gone, without effect.
final class CurlWaker: @unchecked Sendable {
  // Sendable because any thread may call nova_curl_wake(), also after nova_curl_multi_close(), and the memory lives until
  // the last reference goes.
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
