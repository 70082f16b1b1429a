#if GRPC
  import NovaSupport

  /// One request and its response, on one stream at a time.
  ///
  /// Life of a call: it waits for its turn (``HTTP2Turns``), then for a connection (``HTTP2Channel``), then it is on a
  /// stream (``HTTP2Connection``), and then it ends, once. A call that the server certainly did not process goes back
  /// to the channel. Only the holder of the engine's lock may touch what is not constant.
  final class HTTP2Call: @unchecked Sendable {
    // Sendable, because everything that changes is touched only under the engine's lock.
    let request: HTTPRequest
    let fields: HTTP2RequestFields
    /// The request's body, which is whole in memory, so that it can be sent again.
    let body: [UInt8]
    /// Whether it is an open-ended stream, which has a separate limit.
    let isStream: Bool
    /// When the caller made it.
    let began: Int64
    /// The end of the whole call.
    let deadline: Int64
    /// The end of its time in the queue; no later than `deadline`.
    let turnDeadline: Int64
    let idleTimeout: Int64
    private let maximumHeaderBytes: Int

    // Its place.
    var list: HTTP2CallList?
    var next: HTTP2Call?
    unowned var previous: HTTP2Call?
    var hasTurn = false
    /// Set from its turn on.
    var channel: HTTP2Channel?
    /// Set while it is on a stream.
    var connection: HTTP2Connection?
    /// Nil before it was submitted, and once it has ended.
    var continuation: CheckedContinuation<HTTP2Outcome, any Error>?
    var isEnded = false

    // Its request.
    var stream: Int32 = 0
    private var sentBodySize = 0
    /// The number of bytes before its head on its connection; nil if it is not in the connection's output yet.
    var position: Int64?
    /// How often it was sent again.
    private(set) var restarts = Restarts()
    /// When it began to wait for a connection.
    var waitingSince: Int64 = 0
    var lastActivity: Int64 = 0

    // Its response.
    private(set) var status: Int?
    private(set) var head = HTTP2FieldBlock()
    private(set) var trailers = HTTP2FieldBlock()
    private(set) var received: [UInt8] = []
    private(set) var receivedSize = 0
    /// Whether the server has sent its last byte.
    var isComplete = false
    /// The server's RST_STREAM.
    var resetCode: UInt32?
    /// The reason why this side ends the stream.
    private(set) var failure: TransportError?
    /// Why nghttp2 refused a frame.
    var invalidReason: String?
    /// For a streamed response: whether the caller has the head, the reader that waits for bytes, and how the body ended.
    var isDelivered = false
    var reader: CheckedContinuation<[UInt8]?, any Error>?
    var ending: Result<Void, any Error>?

    init(_ request: HTTPRequest, body: [UInt8], options: HTTP2Transport.Options) throws(TransportError) {
      guard request.method.rawValue.isHTTPToken else {
        throw TransportError(.other, "the request's method is not a valid HTTP method", requestMayHaveLeft: false)
      }
      self.request = request
      self.body = body
      let limits = request.limits
      fields = try HTTP2RequestFields(request, userAgent: options.connections.userAgent)
      isStream = request.isOpenEnded
      maximumHeaderBytes = options.connections.maximumHeaderBytes
      began = options.connections.now
      deadline = began.addingClamped(limits.totalTimeout.clampedNanoseconds)
      let turn = options.connections.connections.queueTimeout(ofStream: isStream)?.clampedNanoseconds
      turnDeadline = min(deadline, began.addingClamped(turn ?? .max))
      idleTimeout = limits.idleTimeout.clampedNanoseconds
    }

    /// Whether its response is passed on while it arrives.
    var isStreamed: Bool { request.streamsResponse }
    /// Whether the whole request was passed to the session.
    var isSent: Bool { sentBodySize == body.count }
    /// Whether the next byte has to come from its reader's side.
    private var waitsForReader: Bool { isDelivered && reader == nil && !received.isEmpty }

    /// Prepares it for another stream.
    ///
    /// - Parameter responses: the number of responses of the server that have arrived.
    func prepareRestart(after responses: Int) {
      restarts.add(after: responses)
      (stream, sentBodySize, position, connection, resetCode) = (0, 0, nil, nil, nil)
    }

    /// Whether any byte of it may have reached the server of its connection.
    var mayHaveLeft: Bool {
      guard let position, let connection else { return false }
      return connection.offeredBytes > position
    }
  }

  /// A response. The caller makes its head, outside the engine's lock.
  struct HTTP2Outcome: Sendable {
    let status: Int
    let head: HTTP2FieldBlock
    /// Nil if the body is read from the call.
    let body: [UInt8]?
    let trailers: HTTP2FieldBlock
  }

  // Events of its stream.
  extension HTTP2Call {
    /// Copies the next part of the request's body.
    func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
      let count = min(buffer.count, body.count - sentBodySize)
      body.withUnsafeBufferPointer { bytes in
        _ = buffer.update(fromContentsOf: bytes[sentBodySize..<sentBodySize + count])
      }
      sentBodySize += count
      return count
    }

    /// Adds a field; false if the head is too large.
    func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
      let size: Int
      if status == nil {
        head.add(name: name, value: value)
        size = head.size
      } else {
        trailers.add(name: name, value: value)
        size = head.size + trailers.size
      }
      guard size > maximumHeaderBytes else { return true }
      let place = request.url.origin.place
      fail(.responseTooLarge, "the head of the response from \(place) is larger than \(maximumHeaderBytes) bytes")
      return false
    }

    /// Ends a head or the trailers. Returns whether the head is now known; a 1xx head does not count.
    func endFields() -> Bool {
      guard status == nil else { return false }
      if let new = head.status, new >= 200 {
        status = new
        return true
      }
      head = HTTP2FieldBlock()
      return false
    }

    /// The capacity for a body; see ``CurlTransfer/usualBodySize``.
    private static let usualBodySize = 992

    /// Adds a part of the response's body; false if the body is too large.
    func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      let limit = request.limits.maximumResponseBytes
      guard bytes.count <= limit - receivedSize else {
        fail(.responseTooLarge, "the response from \(request.url.origin.place) is larger than \(limit) bytes")
        return false
      }
      if received.isEmpty { received.reserveCapacity(max(bytes.count, Self.usualBodySize)) }
      receivedSize += bytes.count
      received.append(contentsOf: bytes)
      return true
    }

    private func fail(_ kind: TransportError.Kind, _ message: String) {
      failure = failure ?? TransportError(kind, message, requestMayHaveLeft: true)
    }

    func takeReceived() -> [UInt8] {
      defer { received = [] }
      return received
    }
  }

  // Its deadlines.
  extension HTTP2Call {
    /// When to check it again.
    var nextDeadline: Int64 {
      guard hasTurn, let channel else { return turnDeadline }
      guard connection != nil else { return channel.isConnected ? turnDeadline : min(deadline, connectDeadline) }
      return waitsForReader ? deadline : min(deadline, lastActivity.addingClamped(idleTimeout))
    }

    /// The end of its wait for a connection, while its server has no open one.
    var connectDeadline: Int64 {
      waitingSince.addingClamped(request.limits.connectTimeout.clampedNanoseconds).addingClamped(Self.grace)
    }

    /// How much longer a call waits than libcurl, whose error says more.
    private static let grace: Int64 = 200_000_000

    /// Whether neither side sent a byte for too long, and this side was not the reason.
    func isIdle(at now: Int64) -> Bool {
      connection != nil && !waitsForReader && now >= lastActivity.addingClamped(idleTimeout)
    }
  }
#endif
