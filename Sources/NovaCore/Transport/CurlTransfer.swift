internal import CNovaCurl

/// One call on its way. Only the loop's thread touches it; libcurl's callbacks are called on that thread too.
final class CurlTransfer {
  let call: CurlCall
  let continuation: CheckedContinuation<CurlOutcome, any Error>
  /// Its place in the queue.
  var ticket: UInt64 = 0
  /// Set while it runs.
  var handle: CurlHandle?

  /// Where this leg goes, and with which fields: redirects change both.
  private(set) var url: HTTPURL
  private(set) var headers: HeaderLines
  private var redirectCount = 0
  /// Whether a redirect has led to another origin, be it back since.
  private(set) var hasLeftOrigin = false

  private(set) var head = ResponseHead()
  private(set) var body: [UInt8] = []
  private var sentBodyBytes = 0
  /// How often a connection was ready for this leg's request: more than once when libcurl tries again.
  private(set) var readyCount = 0
  private var progress: (down: Int, up: Int) = (0, 0)
  private var lastActivity: Int64 = 0
  /// Why a callback has ended the transfer.
  private(set) var failure: TransportError?

  /// Where it was last sent.
  private(set) var connection: CurlConnection?

  let idleTimeout: Int64
  private let shared: CurlShared

  init(_ submission: CurlSubmission, shared: CurlShared) {
    call = submission.call
    continuation = submission.continuation
    url = call.url
    headers = call.headers
    idleTimeout = call.request.limits.idleTimeout.clampedNanoseconds
    self.shared = shared
  }

  var options: CurlTransport.Options { shared.options }

  /// By the host of this leg: a redirect to another machine is checked like every connection to one. All requests to
  /// one host have the same answer, so no connection is shared between those that check and those that do not.
  var skipsCertificateChecks: Bool {
    options.unsafelySkipsCertificateChecksOnLoopback && url.isSecure && url.isLoopback
  }

  /// Whether a byte of the request may have reached the server, on this leg or one before.
  var requestMayHaveLeft: Bool {
    redirectCount > 0 || readyCount > 0 || handle.map { nova_curl_sent_bytes($0.easy) > 0 } ?? false
  }
}

// What libcurl's callbacks report.
extension CurlTransfer {
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    lastActivity = shared.clock.now
    head.receive(line)
    let maximumHeaderBytes = options.maximumHeaderBytes
    guard head.receivedBytes > maximumHeaderBytes else { return true }
    failure = .tooLarge("the head of the response from \(url.place) is larger than \(maximumHeaderBytes) bytes")
    return false
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lastActivity = shared.clock.now
    let limit = call.request.limits.maximumResponseBytes
    guard bytes.count <= limit - body.count else {
      failure = .tooLarge("the response from \(url.place) is larger than \(limit) bytes")
      return false
    }
    if body.isEmpty, let handle {
      // What the server announces is only a hint: it is not worth more than 8 MiB before a byte of it is here.
      body.reserveCapacity(max(bytes.count, min(Int(nova_curl_content_length(handle.easy)), limit, 8 << 20)))
    }
    body.append(contentsOf: bytes)
    return true
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let rest = call.request.body[sentBodyBytes...].prefix(buffer.count)
    buffer.copyBytes(from: rest)
    sentBodyBytes += rest.count
    return rest.count
  }

  func rewind(to offset: Int) -> Bool {
    guard (0...call.request.body.count).contains(offset) else { return false }
    sentBodyBytes = offset
    return true
  }

  func receiveProgress(down: Int, up: Int) {
    guard down != progress.down || up != progress.up else { return }
    progress = (down, up)
    lastActivity = shared.clock.now
  }

  /// Whether the request may be sent over the established connection: a host name can resolve to an unexpected address.
  func mayReach(address: String?) -> Bool {
    let isHere = address.map(NetworkHost.isLoopback) ?? false
    if skipsCertificateChecks, !isHere {
      return refuse(.tls, "\(url.place) is not on this machine, and its certificate was not checked")
    }
    guard let address else { return true }
    if url.isLoopback, !url.isSecure, !isHere {
      return refuse(.invalidURL, "\(url.place) is not on this machine, and the connection is not encrypted")
    }
    guard call.request.isForStorage, NetworkHost.isNeverStorage(address) else { return true }
    return refuse(.invalidURL, "\(url.place) leads to \(address), which is \(NetworkHost.neverStorage)")
  }

  private func refuse(_ kind: TransportError.Kind, _ message: String) -> Bool {
    let claim = requestMayHaveLeft ? "" : ": \(SentClaim.nothing)"
    failure = TransportError(kind, message + claim, requestMayHaveLeft: requestMayHaveLeft)
    return false
  }

  /// Whether the request may be written to the connection that is ready, known by its local port.
  ///
  /// libcurl tries again on a new connection when a kept one ends before a byte of the response. A server that has run
  /// the request and then fell looks the same, so this is only for requests that may run twice, those of which no byte
  /// was written, and those an HTTP/2 server has refused.
  func mayBeSent(localPort: Int32) -> Bool {
    let previous = connection
    connection = CurlConnection(url, localPort: localPort)
    let isFirstTry = readyCount == 0
    readyCount += 1
    lastActivity = shared.clock.now
    guard let handle, !isFirstTry, !call.request.isSafe, nova_curl_sent_bytes(handle.easy) > 0 else { return true }
    if let previous, shared.connections.speaksHTTP2(previous), handle.saysRefusedOrNothing { return true }
    failure = TransportError(
      .connectionLost, "\(url.place) closed the connection without a response", requestMayHaveLeft: true)
    return false
  }
}

// Deadlines.
extension CurlTransfer {
  /// When to look again.
  var nextDeadline: Int64 {
    guard handle != nil else { return call.deadline }
    // Before there is a connection, connectTimeout (libcurl's own) rules; then silence counts from that moment.
    return min(call.deadline, (readyCount > 0 ? lastActivity : shared.clock.now).addingClamped(idleTimeout))
  }

  func overdue() -> TransportError? {
    let limits = call.request.limits
    if shared.clock.now >= call.deadline {
      let time = limits.totalTimeout.inWords
      let message =
        handle == nil
        ? "the request waited for its turn for longer than \(time)"
        : "\(url.place) did not finish the response within \(time)"
      return TransportError(.totalTimeout, message, requestMayHaveLeft: requestMayHaveLeft)
    }
    guard readyCount > 0, shared.clock.now >= lastActivity.addingClamped(idleTimeout) else { return nil }
    return TransportError(
      .idleTimeout, "no byte to or from \(url.place) for \(limits.idleTimeout.inWords)", requestMayHaveLeft: true)
  }
}

// Redirects.
extension CurlTransfer {
  /// Where the response sends us, `nil` when it is to be returned.
  func redirectTarget(_ info: nova_curl_info, maximum: Int) throws(TransportError) -> HTTPURL? {
    guard [301, 302, 303, 307, 308].contains(info.status), maximum > 0, let location = info.redirect_url,
      call.request.isSafe, call.request.body.isEmpty
    else { return nil }
    guard redirectCount < maximum else {
      throw .redirectRefused("\(url.place) redirects after \(maximum) redirects in a row")
    }
    let target: HTTPURL
    do { target = try HTTPURL(String(cString: location)) } catch {
      throw .redirectRefused("\(url.place) redirects to where the request must not go: \(error.message)")
    }
    guard target.isSecure || !url.isSecure else {
      throw .redirectRefused("\(url.place) redirects from https to http")
    }
    return target
  }

  /// Makes ready for the next leg.
  func follow(to target: HTTPURL) throws(TransportError) {
    if !target.hasSameOrigin(as: call.url) {
      // Only what says nothing about who asks; a list of what to drop would miss the next secret.
      let harmless = ["Accept", "Accept-Language", "Accept-Encoding", "User-Agent"]
      let fields = call.request.headers.fields.filter { field in
        harmless.contains { field.name.equalsIgnoringASCIICase($0) }
      }
      headers = try HeaderLines(HTTPHeaders(fields), userAgent: call.userAgent, bodySize: nil)
      hasLeftOrigin = true
    }
    url = target
    redirectCount += 1
    readyCount = 0
    progress = (0, 0)
    head = ResponseHead()
    body = []
  }
}

extension TransportError {
  fileprivate static func tooLarge(_ message: String) -> TransportError {
    TransportError(.responseTooLarge, message, requestMayHaveLeft: true)
  }

  fileprivate static func redirectRefused(_ message: String) -> TransportError {
    TransportError(.redirectRefused, message, requestMayHaveLeft: true)
  }
}
