#if GRPC
  internal import NovaLibc
  import NovaSupport

  /// The errors of calls, in the words of ``CurlTransport``'s.
  struct HTTP2Failure {
    private let call: HTTP2Call
    private let options: HTTP2Transport.Options

    init(_ call: HTTP2Call, _ options: HTTP2Transport.Options) { (self.call, self.options) = (call, options) }

    private var place: String { call.connection?.endpoint.server.place ?? call.request.url.origin.place }

    /// The error of a call whose stream was closed before the end of its response.
    ///
    /// - Parameter reset: the server's code; nil if this side closed the stream.
    func reset(_ reset: HTTP2ErrorCode?, closedWith code: HTTP2ErrorCode) -> TransportError {
      if let failure = call.failure { return failure }
      guard let reset else {
        return TransportError(
          .malformedResponse, "what \(place) sent is not a valid response", reason: call.invalidReason ?? "\(code)",
          requestMayHaveLeft: true)
      }
      var error = TransportError(
        .connectionLost, "\(place) ended the stream", reason: "\(reset)", requestMayHaveLeft: true)
      error.streamCode = reset
      return error
    }

    /// The error of a call that was sent again too often.
    func givenUp(isRefused: Bool) -> TransportError {
      var error = TransportError(
        .connectionLost,
        isRefused
          ? "\(place) repeatedly refused the request before it processed it"
          : "\(place) repeatedly closed its connections before it processed the request",
        advice: "try again later", requestMayHaveLeft: false)
      if isRefused { error.streamCode = .refusedStream }
      return error
    }

    /// The error of a call whose time is up; nil if it is not.
    func overdue(at now: Int64) -> TransportError? {
      let limits = call.request.limits
      if now >= call.deadline {
        return TransportError(
          .totalTimeout, "\(place) did not finish the response within \(limits.totalTimeout.formatted)",
          requestMayHaveLeft: call.mayHaveLeft)
      }
      if call.connection == nil { return overdueInQueue(at: now) }
      guard call.isIdle(at: now) else { return nil }
      return TransportError(
        .idleTimeout, "no byte to or from \(place) for \(limits.idleTimeout.formatted)",
        requestMayHaveLeft: call.mayHaveLeft)
    }

    private func overdueInQueue(at now: Int64) -> TransportError? {
      let isConnected = call.channel?.isConnected ?? true
      if !isConnected, now >= call.connectDeadline {
        return TransportError(
          .connectTimeout,
          "no connection to \(place) within \(call.request.limits.connectTimeout.formatted)",
          requestMayHaveLeft: false)
      }
      guard !call.hasTurn || isConnected, now >= call.turnDeadline else { return nil }
      let limits = options.connections.connections
      let timeouts = [limits.queueTimeout(ofStream: call.isStream), call.request.limits.totalTimeout].compactMap(\.self)
      let subject =
        "the \(call.isStream ? "stream" : "request") waited for its turn for longer than "
        + (timeouts.min() ?? .zero).formatted
      if let limit = call.channel?.streamLimit {
        return TransportError(
          .totalTimeout, subject, reason: "\(place) allows \(limit) streams at a time", requestMayHaveLeft: false)
      }
      return TransportError(
        .totalTimeout, subject, reason: limits.queueReason(ofStream: call.isStream),
        advice: limits.queueAdvice(forStream: call.isStream), requestMayHaveLeft: false)
    }
  }

  /// Why a connection ended.
  enum HTTP2Problem {
    case closed
    case system(Int32)
    /// The server uses another protocol.
    case notHTTP2(String)
    /// The server broke a rule of HTTP/2.
    case invalid(String)
    /// The server did not respond to a ping, or did not begin.
    case silent

    /// What to report to the server.
    var code: HTTP2ErrorCode {
      switch self {
      case .closed, .system, .silent: .noError
      case .notHTTP2, .invalid: .protocolError
      }
    }
  }

  /// The errors of a connection that ended, for its calls.
  struct HTTP2ConnectionFailure {
    private let problem: HTTP2Problem
    private let place: String
    private let leaveCode: HTTP2ErrorCode?
    private let isGreeting: Bool
    private let pingTimeout: Duration

    init(
      _ problem: HTTP2Problem, of connection: HTTP2Connection, leaveCode: HTTP2ErrorCode?,
      _ options: HTTP2Transport.Options
    ) {
      self.problem = problem
      self.leaveCode = leaveCode
      isGreeting = connection.state == .greeting
      place = options.connections.nextHop(to: connection.endpoint.server)
      pingTimeout = options.pingTimeout
    }

    /// The error of a call that was on it.
    func error(of call: HTTP2Call) -> TransportError {
      switch problem {
      case .closed where call.status == nil:
        lost("\(place) closed the connection without a response", reason: leaveReason)
      case .closed:
        lost("the response from \(place) ended early, after \(call.receivedSize) bytes", reason: leaveReason)
      default: general(mayHaveLeft: true)
      }
    }

    /// The error of calls that waited for it, if it never became usable.
    var errorWithoutCall: TransportError {
      switch problem {
      case .closed:
        TransportError(
          .connectionFailed, "no connection to \(place)", reason: "it closed the connection at once",
          requestMayHaveLeft: false)
      case .silent where isGreeting:
        TransportError(
          .connectTimeout, "\(place) accepted the connection, but did not respond in HTTP/2",
          advice: "check that this is a port for gRPC", requestMayHaveLeft: false)
      default: general(mayHaveLeft: false)
      }
    }

    private func general(mayHaveLeft: Bool) -> TransportError {
      switch problem {
      case .closed: lost("\(place) closed the connection", reason: leaveReason)
      case .system(let code):
        TransportError(
          .connectionLost, "the connection to \(place) was lost",
          // libcurl's code for a failure of TLS says nothing.
          reason: code == EPROTO ? nil : SystemError(code: code).reason,
          requestMayHaveLeft: mayHaveLeft)
      case .notHTTP2(let other):
        TransportError(
          .malformedResponse, "what \(place) sent is \(other), not HTTP/2",
          advice: "check that this is a port for gRPC", requestMayHaveLeft: mayHaveLeft)
      case .invalid(let reason):
        TransportError(
          .malformedResponse, "what \(place) sent is not valid HTTP/2", reason: reason,
          requestMayHaveLeft: mayHaveLeft)
      case .silent:
        TransportError(
          .connectionLost, "\(place) did not respond to a ping within \(pingTimeout.formatted)",
          requestMayHaveLeft: mayHaveLeft)
      }
    }

    private func lost(_ subject: String, reason: String?) -> TransportError {
      TransportError(.connectionLost, subject, reason: reason, requestMayHaveLeft: true)
    }

    /// The reason that the server gave before it closed the connection.
    private var leaveReason: String? {
      leaveCode.flatMap { $0 == .noError ? nil : "it announced \($0)" }
    }
  }

  /// What a server sends first.
  enum HTTP2Greeting {
    /// The name of the protocol, if it certainly is another one.
    static func otherProtocol(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
      let start = Array(bytes.prefix(8))
      if start.starts(with: "HTTP/".utf8) { return String(decoding: start, as: UTF8.self).printable(to: 8) }
      // An alert or a handshake.
      if start.count >= 2, start[0] == 0x15 || start[0] == 0x16, start[1] == 3 { return "TLS" }
      return nil
    }
  }
#endif
