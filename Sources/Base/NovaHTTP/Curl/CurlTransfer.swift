internal import CNovaCurl
import NovaSupport

/// One request and its response.
///
/// Life of a transfer: its caller creates it, which checks and encodes the request. It waits in ``CurlTransfers`` for
/// its turn; ``begin()`` and ``open()`` start it on a ``CurlHandle``. libcurl's callbacks then report the head and the
/// body, which is collected in memory, or passed to the reader through a ``ResponsePipe``. It may pause in either
/// direction while a reader or source is slow. A redirect starts another leg with new ``settings``; a request that an
/// HTTP/2 server did not process is sent again after ``prepareRestart(random:)``. It ends with
/// ``succeed()``, ``fail(_:)``, or a deadline, and resumes its continuation exactly once.
///
/// Only the engine's runner touches it until it has ended, including in libcurl's callbacks.
///
/// The caller also allocates the memory for the response, and almost always frees it. Memory that is freed on another
/// thread costs several times as much, and the loop's time delays all transfers.
final class CurlTransfer: @unchecked Sendable {
  // Sendable, because only one thread at a time works on it: the caller's, and then, passed through the inbox under the
  // loop's lock, the runner's. Other threads read only constants.
  let request: HTTPRequest
  /// Receives the body as it arrives; nil if the body is collected.
  let pipe: ResponsePipe?
  /// The end of the whole transfer, on the transport's clock.
  let deadline: Int64
  /// The end of its time in the queue; no later than `deadline`.
  let turnDeadline: Int64
  let idleTimeout: Int64
  /// Whether it is an event stream, which has a separate limit.
  let isStream: Bool

  /// Nil once the caller has the response or its head.
  var continuation: CheckedContinuation<CurlOutcome, any Error>?
  /// Only for the runner.
  private let shared: CurlShared
  private let maximumHeaderBytes: Int
  /// Whether an engine has started it, and it has not ended.
  private(set) var isUnderWay = false
  /// Its neighbors in ``CurlTransfers``.
  var next: CurlTransfer?
  unowned var previous: CurlTransfer?
  /// Whether it is running; for ``CurlTransfers``.
  var hasTurn = false
  /// Set while it is running.
  var handle: CurlHandle?

  /// The URL and settings of this leg, which redirects change.
  private(set) var settings: CurlSettings
  private(set) var headers: HeaderList
  /// The redirects before this leg.
  private var redirects: [HTTPRedirect] = []
  var url: HTTPURL { settings.url }
  var hasLeftOrigin: Bool { settings.hasLeftOrigin }

  // The runner does one thing at a time. Swift's own exclusivity check would cost as much as most callbacks do.
  @exclusivity(unchecked) private(set) var head = ResponseHead(reservingRoom: true)
  @exclusivity(unchecked) private(set) var body: [UInt8] = []
  /// The capacity for a body. With the array's header, it is the largest block that glibc caches per thread.
  static let usualBodySize = 992
  private var receivedBodyBytes = 0
  @exclusivity(unchecked) private var requestBody: RequestBody
  /// The error of reading the request's body.
  private(set) var bodyFailure: (any Error)?
  /// Whether libcurl was told to wait for the reader of the response, and for the source of the request's body.
  private var pauses: (receiving: Bool, sending: Bool) = (false, false)
  /// How often a connection was ready for this leg's request. More than once means that libcurl retries.
  private(set) var readyCount = 0
  private var progress: (down: Int, up: Int) = (0, 0)
  private var lastActivity: Int64 = 0
  /// How often libcurl gave up and the request was sent again.
  private(set) var restarts = Restarts()
  /// When the request is sent again, unless at once. Until then, libcurl does not have it.
  private(set) var restartTime: Int64?
  /// Whether an HTTP/2 server refused every try so far, and so has processed none.
  private(set) var hasOnlyBeenRefused = false
  /// The reason why a callback ended the transfer.
  private(set) var failure: TransportError?

  /// The last connection that it was sent on.
  private(set) var connection: CurlConnection?
  /// When the engine started it.
  private(set) var began: Int64 = 0

  /// Checks and encodes a request.
  ///
  /// - Parameter loop: the loop that will run the transfer.
  init(_ request: HTTPRequest, on loop: CurlLoop) throws(TransportError) {
    guard request.method.rawValue.isHTTPToken else {
      throw TransportError(.other, "the request's method is not a valid HTTP method", requestMayHaveLeft: false)
    }
    guard request.method != .head || request.body.isEmpty else {
      throw TransportError(.other, "a HEAD request cannot have a body", requestMayHaveLeft: false)
    }
    let options = loop.options
    self.request = request
    shared = loop.shared
    maximumHeaderBytes = options.maximumHeaderBytes
    settings = CurlSettings(request, to: request.url, hasLeftOrigin: false, options)
    headers = try HeaderList(
      request.headers, userAgent: options.userAgent, body: request.hasBody ? request.body : nil,
      isForwarded: request.isForwarded)
    let now = options.now
    isStream = request.isOpenEnded
    deadline = now.addingClamped(request.limits.totalTimeout.clampedNanoseconds)
    if let queueTimeout = options.connections.queueTimeout(ofStream: isStream) {
      turnDeadline = min(deadline, now.addingClamped(queueTimeout.clampedNanoseconds))
    } else {
      turnDeadline = deadline
    }
    idleTimeout = request.limits.idleTimeout.clampedNanoseconds
    pipe = request.streamsResponse ? ResponsePipe(keepsTrailers: request.isForwarded) : nil
    head.keepsTrailers = request.isForwarded
    requestBody = RequestBody(request.body)
    if pipe == nil { body.reserveCapacity(Self.usualBodySize) }
    // Only for streams, because a weak reference makes an object slower.
    if case .stream(let stream) = request.body {
      requestBody.prepare(stream) { [weak self, loop] in if let self { loop.resume(self) } }
    }
  }

  /// Whether its task may run the transfer itself: the task has nothing to read or write in the meantime, and no
  /// executor that others may be waiting for.
  var mayRunOnItsCaller: Bool {
    guard request.body.bytes != nil, !request.streamsResponse else { return false }
    return withUnsafeCurrentTask { task in task?.unownedTaskExecutor == nil }
  }

  var options: CurlTransport.Options { shared.options }

  /// Whether any byte of the request may have reached the server, on this leg or an earlier one.
  var requestMayHaveLeft: Bool {
    if !redirects.isEmpty || readyCount > 0 { return true }
    // libcurl counts what it sent to a proxy for a tunnel, which is not part of the request.
    if settings.isTunneled { return false }
    return handle.map { nova_curl_sent_bytes($0.easy) > 0 } ?? false
  }
}

/// A response. The caller parses its head, outside the loop's thread.
struct CurlOutcome: Sendable {
  let head: ResponseHead
  /// Nil if the body arrives through the transfer's pipe.
  let body: [UInt8]?
  /// The redirects that were followed.
  let redirects: [HTTPRedirect]
}

// The results for the caller.
extension CurlTransfer {
  /// Marks it as started by the engine.
  func begin() {
    began = shared.now
    isUnderWay = true
  }

  /// Fails it before an engine has started it.
  func refuse(_ error: any Error) { takeContinuation()?.resume(throwing: error) }

  /// Opens the file to send. Called only when the transfer has its turn.
  func open() throws(TransportError) {
    do { try requestBody.open() } catch {
      throw TransportError(.unreadableBody, error.description, requestMayHaveLeft: false)
    }
  }

  private func deliverHead() {
    takeContinuation()?.resume(returning: CurlOutcome(head: head, body: nil, redirects: redirects))
  }

  func succeed() {
    let outcome = CurlOutcome(head: head, body: body, redirects: redirects)
    if let trailers = pipe?.trailers { trailers.fields = head.trailers }
    // A reader of the body already has the head, but not the trailers.
    let failure = pipe == nil ? nil : head.failureInTrailers
    end(failure.map { .failure($0) } ?? .success(()))?.resume(returning: outcome)
  }

  /// Whether to return a failure response although its body could not be decompressed, because the status is more
  /// useful.
  func isUnreadableFailure(_ code: CURLcode) -> Bool {
    [CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR].contains(code) && failure == nil && head.isComplete
      && head.status >= 400
  }

  func fail(_ error: any Error) { end(.failure(error))?.resume(throwing: error) }

  /// - Returns: the continuation. Resume it last, because the caller may then hold the only reference.
  private func end(_ ending: Result<Void, any Error>) -> CheckedContinuation<CurlOutcome, any Error>? {
    let waiting = takeContinuation()
    isUnderWay = false
    requestBody.stop()
    pipe?.finish(ending)
    return waiting
  }

  private func takeContinuation() -> CheckedContinuation<CurlOutcome, any Error>? {
    defer { continuation = nil }
    return continuation
  }
}

// Reports from libcurl's callbacks.
extension CurlTransfer {
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    lastActivity = shared.now
    head.receive(line)
    guard head.receivedBytes > maximumHeaderBytes else {
      if head.isComplete {
        if let length = head.invalidLength(for: request.method) {
          failure = .invalidLength(length, from: url.origin)
          return false
        }
        if settings.decompresses, head.namesOnlyUnknownCodings { handle?.keepEncoding() }
        if pipe != nil, !mayRedirect, !head.isWithoutBody(for: request.method) { deliverHead() }
        lookForCompletion()
      }
      return true
    }
    failure = .tooLarge("the head of the response from \(url.origin.place) is larger than \(maximumHeaderBytes) bytes")
    return false
  }

  /// The longest body of a redirect. It is discarded.
  private static let maximumRedirectBytes = 1 << 20

  /// The result for a chunk of the response body.
  enum Receipt { case taken, refused, paused }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    lastActivity = shared.now
    let limit =
      mayRedirect
      ? min(request.limits.maximumResponseBytes, Self.maximumRedirectBytes) : request.limits.maximumResponseBytes
    guard bytes.count <= limit - receivedBodyBytes else {
      failure = .tooLarge("the response from \(url.origin.place) is larger than \(limit) bytes")
      return .refused
    }
    if continuation == nil, let pipe {
      pauses.receiving = !pipe.offer(bytes)
      if pauses.receiving { return .paused }
      receivedBodyBytes += bytes.count
      return .taken
    }
    receivedBodyBytes += bytes.count
    if body.isEmpty, let handle {
      // The announced length is only a hint. Before any byte arrives, it reserves at most 8 MiB.
      body.reserveCapacity(max(bytes.count, min(Int(nova_curl_content_length(handle.easy)), limit, 8 << 20)))
    }
    body.append(contentsOf: bytes)
    return .taken
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> RequestBody.Reading {
    let reading = isRefused ? .wait : requestBody.read(into: buffer)
    switch reading {
    case .bytes: break
    case .wait:
      pauses.sending = true
      lookForCompletion()
    case .failed(let error): bodyFailure = error
    }
    return reading
  }

  /// Whether the server refused the request (413, 401), and does not need the rest of its body.
  private var isRefused: Bool { head.isComplete && head.status >= 300 }

  /// Whether a response may be complete although the request is still being sent. While sending is paused, libcurl
  /// before 8.7 does not notice, so the transfer is resumed from time to time.
  var mayBeComplete: Bool { pauses == (receiving: false, sending: true) && head.isComplete }

  private func lookForCompletion() {
    if mayBeComplete { shared.scheduleCheck(at: shared.now.addingClamped(50_000_000)) }
  }

  func rewind(to offset: Int) -> Bool { requestBody.rewind(to: offset) }

  /// Whether the silence is not the server's fault.
  private var isWaitingForUs: Bool { pauses.receiving || pauses.sending && !isRefused || restartTime != nil }

  /// Resumes after a pause.
  func resume() -> CURLcode {
    guard pauses != (false, false), let handle else { return CURLE_OK }
    if isWaitingForUs { lastActivity = shared.now }
    pauses = (false, false)
    return nova_curl_resume(handle.easy)
  }

  /// Handles a GOAWAY that this transfer has read.
  func receiveGoaway() {
    guard let connection, let last = handle?.lastStream else { return }
    shared.goaways.append((connection, last))
  }

  /// Handles a GOAWAY that another transfer has read.
  func receiveGoaway(lastStream: Int64, of connection: CurlConnection) {
    if connection == self.connection { handle?.lastStream = lastStream }
  }

  func receiveProgress(down: Int, up: Int) {
    guard down != progress.down || up != progress.up else { return }
    progress = (down, up)
    lastActivity = shared.now
  }

  /// Whether the request may be sent over the new connection. A host name can resolve to an unexpected address.
  ///
  /// - Parameter address: the address from libcurl; nil or empty if unknown.
  func mayReach(address: UnsafePointer<CChar>?) -> Bool {
    guard url.origin.isLoopback || isAtStorage else { return true }
    // A Unix socket is on this machine; its address is the path.
    if settings.route == .socket { return true }
    return mayReach(address: address, isHere: address.map(shared.isLoopback) ?? false)
  }

  private func mayReach(address: UnsafePointer<CChar>?, isHere: Bool) -> Bool {
    if settings.skipsCertificateChecks, !isHere {
      return refuse(.tls, "\(url.origin.place) is not on this machine, and its certificate was not checked")
    }
    // A connection that was just reset has no peer address; sending will fail.
    guard let address, address.pointee != 0 else { return true }
    if url.origin.isLoopback, !url.origin.isSecure, !isHere {
      return refuse(.invalidURL, "\(url.origin.place) is not on this machine, and the connection is not encrypted")
    }
    guard isAtStorage else { return true }
    let text = String(cString: address)
    guard NetworkHost.isNeverStorage(text) else { return true }
    return refuse(.invalidURL, "\(url.origin.place) leads to \(text), which is \(NetworkHost.neverStorage)")
  }

  /// Whether a server's response alone determined the URL of this leg.
  private var isAtStorage: Bool { request.isForStorage || request.redirectsToStorage && hasLeftOrigin }

  private func refuse(_ kind: TransportError.Kind, _ message: String) -> Bool {
    failure = TransportError(
      kind, message, sent: requestMayHaveLeft ? .maybe : .nothing, requestMayHaveLeft: requestMayHaveLeft)
    return false
  }

  /// Whether the request may be written to the ready connection, which is identified by its local port.
  ///
  /// libcurl retries on a new connection if a kept one closes before any byte of the response. A server that crashed
  /// after it ran the request looks the same. So a retry is allowed only for requests that may run twice, for those of
  /// which no byte was written, and for those that an HTTP/2 server refused.
  func mayBeSent(localPort: Int32) -> Bool {
    let previous = connection
    connection = CurlConnection(url, localPort: localPort)
    let isFirstTry = readyCount == 0
    readyCount += 1
    lastActivity = shared.now
    handle?.forgetStream()
    guard let handle, !isFirstTry, !request.isSafe, nova_curl_sent_bytes(handle.easy) > 0 else { return true }
    if let previous, shared.connections.usesHTTP2(previous), handle.mayReportRefusal { return true }
    failure = TransportError(
      .connectionLost, "\(url.origin.place) closed the connection without a response", requestMayHaveLeft: true)
    return false
  }
}

// Servers that close their connections.
extension CurlTransfer {
  /// The maximum number of restarts without a response to another request. libcurl opens up to six connections each time.
  private static let maximumRestartsWithoutResponse = 3
  /// The number of restarts without a pause. A server that closes connections on purpose, but responds to other
  /// requests, needs no pause.
  private static let immediateRestarts = (inAll: 30, withoutProgress: 1)
  private static let pacing = Pacing(
    Backoff(base: .milliseconds(200), maximum: .seconds(2)), floor: .milliseconds(100))

  /// Whether to send the request again after libcurl gave up on one that the server did not process.
  ///
  /// A server that closes its connections after a few requests names the last stream that it processed (GOAWAY). With
  /// many calls per connection, a request can be above that stream more often than libcurl retries it. That is not a
  /// failure while other requests get responses. A server that responds to no request is left alone.
  func mayRestart(after code: CURLcode) -> Bool {
    let isHTTP2 = connection.map(shared.connections.usesHTTP2) ?? false
    let wasUnprocessed = isHTTP2 && isUnprocessed(code)
    hasOnlyBeenRefused = wasUnprocessed && (restarts.count == 0 || hasOnlyBeenRefused)
    guard failure == nil, bodyFailure == nil, head.receivedBytes == 0, let handle else { return false }
    switch code {
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: guard wasUnprocessed || handle.reportsGivingUp else { return false }
    case CURLE_HTTP2 where isHTTP2: guard wasUnprocessed || request.isSafe else { return false }
    case CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING: guard wasUnprocessed else { return false }
    default: return false
    }
    guard isHTTP2 || request.isSafe, restarts.count < Restarts.maximum else { return false }
    guard restarts.countWithoutResponse(after: shared.responseCount) < Self.maximumRestartsWithoutResponse
    else { return false }
    return request.body.isEmpty || rewind(to: 0)
  }

  /// Whether, as far as known, the HTTP/2 server did not process the request.
  private func isUnprocessed(_ code: CURLcode) -> Bool {
    guard head.receivedBytes == 0, let handle else { return false }
    // The only stream of its connection, which libcurl does not send again.
    if handle.isAboveLastStream { return true }
    switch code {
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return handle.reportsGivingUp
    // The stream was refused while the request was being sent. libcurl before 8.0 does not retry that.
    case CURLE_HTTP2: return hasBodyToSend(handle)
    default: return false
    }
  }

  /// Whether no part of the request body was sent: a server cannot run a call without its message.
  private func hasBodyToSend(_ handle: CurlHandle) -> Bool {
    settings.hasBody && !request.body.isEmpty && nova_curl_uploaded_bytes(handle.easy) == 0
  }

  /// Prepares to send the request again: at once, or at ``restartTime``.
  ///
  /// - Parameter random: in 0..<1.
  func prepareRestart(random: Double) {
    restarts.add(after: shared.responseCount)
    let withoutResponse = restarts.countWithoutResponse(after: shared.responseCount)
    restartTime = Self.pause(restartCount: restarts.count, withoutProgress: withoutResponse, random: random)
      .map { shared.now.addingClamped($0.clampedNanoseconds) }
    progress = (0, 0)
    pauses = (false, false)
    lastActivity = shared.now
  }

  /// The pause before a restart, counted from 1; nil for no pause.
  static func pause(restartCount: Int, withoutProgress: Int, random: Double) -> Duration? {
    let failures = max(
      restartCount - immediateRestarts.inAll, withoutProgress - immediateRestarts.withoutProgress)
    return failures > 0 ? pacing.wait(after: failures, random: random) : nil
  }

  /// Ends the pause before a restart when it is over.
  ///
  /// - Returns: whether to send the request now.
  func endPause() -> Bool {
    guard let time = restartTime, shared.now >= time else { return false }
    restartTime = nil
    lastActivity = shared.now
    return true
  }
}

// The deadlines.
extension CurlTransfer {
  /// When to check it again.
  var nextDeadline: Int64 {
    guard handle != nil else { return turnDeadline }
    guard !isWaitingForUs else { return min(deadline, restartTime ?? deadline) }
    // Before there is a connection, libcurl's own connectTimeout applies. After that, silence is measured from the
    // connection on.
    return min(deadline, (readyCount > 0 ? lastActivity : shared.now).addingClamped(idleTimeout))
  }

  @inline(never)
  func overdue() -> TransportError? {
    let limits = request.limits
    if handle == nil, shared.now >= turnDeadline { return turnDidNotCome }
    if shared.now >= deadline {
      return TransportError(
        .totalTimeout, "\(url.origin.place) did not finish the response within \(limits.totalTimeout.formatted)",
        reason: readyCount > 0 ? nil : options.connections.connectionReason, requestMayHaveLeft: requestMayHaveLeft)
    }
    guard readyCount > 0, !isWaitingForUs, shared.now >= lastActivity.addingClamped(idleTimeout) else {
      return nil
    }
    return TransportError(
      .idleTimeout, "no byte to or from \(url.origin.place) for \(limits.idleTimeout.formatted)",
      requestMayHaveLeft: true
    )
  }

  private var turnDidNotCome: TransportError {
    let limits = options.connections
    let timeouts = [limits.queueTimeout(ofStream: isStream), request.limits.totalTimeout].compactMap { $0 }
    let time = (timeouts.min() ?? .zero).formatted
    return TransportError(
      .totalTimeout, "the \(isStream ? "stream" : "request") waited for its turn for longer than \(time)",
      reason: limits.queueReason(ofStream: isStream), advice: limits.queueAdvice(forStream: isStream),
      requestMayHaveLeft: requestMayHaveLeft)
  }
}

// The redirects.
extension CurlTransfer {
  /// Whether to follow the response, if it has a target.
  private var mayRedirect: Bool {
    // Checked first, because nearly all responses end here.
    guard (300..<400).contains(head.status) else { return false }
    return [301, 302, 303, 307, 308].contains(head.status) && options.maximumRedirects > 0 && request.isSafe
      && request.body.isEmpty
  }

  /// The target of a redirect; `nil` if the response is to be returned.
  func redirectTarget(maximum: Int) throws(TransportError) -> HTTPURL? {
    guard mayRedirect, let handle, let location = nova_curl_get_info(handle.easy).redirect_url else { return nil }
    guard redirects.count < maximum else {
      throw .redirectRefused("\(url.origin.place) redirects after \(maximum) redirects in a row")
    }
    let target: HTTPURL
    do { target = try HTTPURL(parsing: String(cString: location)) } catch {
      throw .redirectRefused("\(url.origin.place) redirects to where the request must not go: \(error.reason)")
    }
    guard target.origin.isSecure || !url.origin.isSecure else {
      throw .redirectRefused("\(url.origin.place) redirects from https to http")
    }
    if request.redirectsToStorage, target.origin != request.url.origin { try checkStorage(target.origin) }
    return target
  }

  private func checkStorage(_ target: HTTPOrigin) throws(TransportError) {
    guard !NetworkHost.isNeverStorage(target.host) else {
      throw .redirectRefused("\(url.origin.place) redirects to \(target.place), \(NetworkHost.neverStorage)")
    }
    guard target.protectsSecrets else {
      throw .redirectRefused(
        "\(url.origin.place) redirects to \(target.place), which is neither https nor this machine")
    }
  }

  /// Prepares the next leg.
  func follow(to target: HTTPURL) throws(TransportError) {
    let leavesOrigin = target.origin != request.url.origin
    if leavesOrigin {
      // An allowlist of fields that don't identify the caller. A blocklist would miss the next secret.
      let harmless = [
        "Accept", "Accept-Language", "Accept-Encoding", "User-Agent", "Range", "If-Range", "If-None-Match",
        "If-Modified-Since",
      ]
      let fields = request.headers.fields.filter { field in
        harmless.contains { field.name.equalsIgnoringASCIICase($0) }
      }
      headers = try HeaderList(HTTPHeaders(fields), userAgent: options.userAgent, body: nil)
    }
    settings = CurlSettings(request, to: target, hasLeftOrigin: hasLeftOrigin || leavesOrigin, options)
    redirects.append(HTTPRedirect(status: head.status, headers: head.headers(), target: target))
    readyCount = 0
    progress = (0, 0)
    head = ResponseHead()
    body = []
    receivedBodyBytes = 0
  }
}

extension TransportError {
  fileprivate static func tooLarge(_ message: String) -> TransportError {
    TransportError(.responseTooLarge, message, requestMayHaveLeft: true)
  }

  fileprivate static func invalidLength(_ text: String, from origin: HTTPOrigin) -> TransportError {
    TransportError(
      .malformedResponse,
      "the response from \(origin.place) has an invalid Content-Length, so its end is unknown",
      reason: text.printable(to: 60), requestMayHaveLeft: true)
  }

  fileprivate static func redirectRefused(_ message: String) -> TransportError {
    TransportError(.redirectRefused, message, requestMayHaveLeft: true)
  }
}
