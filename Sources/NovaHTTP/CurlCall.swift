internal import CNovaCurl
import NovaSupport

/// One call as the caller made it, checked and encoded on the caller's thread to keep the loop's free.
///
/// A class because a cancellation refers to it.
package final class CurlCall: Sendable {
  let request: HTTPRequest
  var url: HTTPURL { request.url }
  let headers: HeaderList
  /// What libcurl is told for the first leg.
  let settings: CurlSettings
  /// For a request that brings none.
  let userAgent: String
  /// On the clock of `nova_monotonic_nanoseconds`.
  let deadline: Int64
  /// The transfer of the call, from its submission to its end. Only the engine's runner touches it, so it needs no lock.
  nonisolated(unsafe) var transfer: CurlTransfer?

  init(_ request: HTTPRequest, options: CurlTransport.Options) throws(TransportError) {
    guard request.method.rawValue.isHTTPToken else {
      throw TransportError(.other, "the request's method is not a valid HTTP method", requestMayHaveLeft: false)
    }
    guard request.method != .head || request.body.isEmpty else {
      throw TransportError(.other, "a HEAD request cannot have a body", requestMayHaveLeft: false)
    }
    self.request = request
    userAgent = options.userAgent
    settings = CurlSettings(request, to: request.url, hasLeftOrigin: false, options)
    headers = try HeaderList(request.headers, userAgent: options.userAgent, body: request.hasBody ? request.body : nil)
    deadline = nova_monotonic_nanoseconds().addingClamped(request.limits.totalTimeout.clampedNanoseconds)
  }
}

extension CurlCall {
  /// Whether its task may wait for the transfer to be made: it has nothing to read or write meanwhile, and no executor of
  /// its own that others may wait for.
  var mayRunOnItsCaller: Bool {
    guard request.body.bytes != nil, !request.streamsResponse else { return false }
    return withUnsafeCurrentTask { task in task?.unownedTaskExecutor == nil }
  }
}

/// A call and who waits for it.
package struct CurlSubmission: Sendable {
  let call: CurlCall
  /// Where the body of the response goes as it arrives; nil if it is collected.
  let pipe: ResponsePipe?
  /// Resumes a transfer that has paused; nil if its request has no stream to wait for.
  let resume: (@Sendable () -> Void)?
  let continuation: CheckedContinuation<CurlOutcome, any Error>
}

/// A complete response. Its head is taken apart by the caller, off the loop's thread.
struct CurlOutcome: Sendable {
  var status: Int
  var head: ResponseHead
  /// Nil if the body arrives through the submission's pipe.
  var body: [UInt8]?
}

extension HTTPRequest {
  /// Whether a body is announced, even an empty one.
  var hasBody: Bool { !body.isEmpty || [.post, .put, .patch].contains(method) }

  /// Whether sending it a second time is harmless whatever the server did with the first.
  var isSafe: Bool { method == .get || method == .head }
}

extension Duration {
  /// Whole nanoseconds, at most what 64 bits hold (292 years).
  package var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingClamped(attoseconds / 1_000_000_000)
  }

  /// Two or three digits, as people write it: `12 ms`, `1.3 s`, `75 s`. What is left of three seconds a moment later is
  /// `3 s`.
  package var formatted: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 9.95 { return "\(Self.tenths(milliseconds * 10)) ms" }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 9950 { return "\(Self.tenths(milliseconds / 100)) s" }
    return "\(Int(min(milliseconds / 1000, 1e15).rounded())) s"
  }

  /// So many tenths, without a zero behind the point.
  private static func tenths(_ number: Double) -> String {
    let text = String(number.rounded() / 10)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
