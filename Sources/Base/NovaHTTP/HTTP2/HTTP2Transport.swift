#if GRPC
  import NovaSupport

  /// The transport under gRPC: HTTP/2 with trailers, over connections that libcurl makes.
  ///
  /// libcurl connects, with everything that ``CurlTransport`` offers: names, proxies, Unix sockets, TLS, client
  /// certificates. nghttp2, which every libcurl with HTTP/2 needs, makes and reads the frames. libcurl's own HTTP/2
  /// would be enough for HTTP, but not for gRPC: one GOAWAY beside a long stream blocks all later requests, and HTTP/2
  /// without TLS fails from the second request on (both seen with 7.88).
  ///
  /// A request's body is whole in memory before it is sent, so every call that a server certainly did not process is
  /// sent again: its stream was refused, or excluded by a GOAWAY, or the connection failed before any byte of it was
  /// written. All other failures are thrown, and report whether the request may have left.
  package final class HTTP2Transport: Sendable {
    /// The settings that all requests of a transport share.
    package struct Options: Sendable, Hashable {
      /// How to connect, and the limits for concurrent calls, streams, and heads. Redirects are never followed.
      package var connections: CurlTransport.Options
      /// How calls are distributed over the addresses of a server.
      package var balancing: HTTP2Balancing
      /// How long a connection with open streams may be silent until it is checked with a ping; nil for never.
      package var pingInterval: Duration?
      /// How long the response to a ping may take until the connection counts as dead.
      package var pingTimeout: Duration
      /// How long an unused connection is trusted. After that, it is checked with a ping before its next call.
      package var trustedIdleTime: Duration
      /// Looks up names. Tests replace it.
      package var resolver = HTTP2Resolver.system

      package init(
        connections: CurlTransport.Options = .init(), balancing: HTTP2Balancing = .roundRobin,
        pingInterval: Duration? = .seconds(60), pingTimeout: Duration = .seconds(20),
        trustedIdleTime: Duration = .seconds(60)
      ) {
        self.connections = connections
        self.balancing = balancing
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.trustedIdleTime = trustedIdleTime
      }
    }

    /// A response: its head, its body, and what followed the body.
    package struct Response: Sendable {
      package var status: Int
      package var headers: HTTPHeaders
      package var body: HTTPBody
      /// The trailers of a response whose body is in memory.
      package var trailers: HTTPHeaders
      /// The trailers of a streamed response; nil until its body has ended.
      package var streamedTrailers: (@Sendable () -> HTTPHeaders?)?
    }

    /// Outlives the transport until its thread has ended.
    let engine: HTTP2Engine

    /// Creates a transport. It uses no resources before the first request.
    package init(options: Options = Options()) { engine = HTTP2Engine(options: options) }

    deinit { engine.stop() }

    /// Sends a request and waits for the response, or for its head if the request streams the response.
    ///
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    package func send(_ request: HTTPRequest) async throws -> Response {
      // Otherwise, `self` could be released after its last use here, and its deinit would end the call.
      defer { withExtendedLifetime(self) {} }
      let call = try HTTP2Call(request, body: await Self.body(of: request), options: engine.options)
      let outcome = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { [engine] continuation in engine.submit(call, continuation) }
      } onCancel: {
        engine.cancel(call)
      }
      let (status, headers) = (outcome.status, outcome.head.headers)
      if let body = outcome.body {
        return Response(status: status, headers: headers, body: .bytes(body), trailers: outcome.trailers.headers)
      }
      let stream = HTTP2ResponseBody(call, on: self)
      return Response(
        status: status, headers: headers, body: .stream(HTTPBodyStream(stream, length: headers.contentLength)),
        trailers: [:], streamedTrailers: { [engine] in engine.trailers(of: call) })
    }

    private static func body(of request: HTTPRequest) async throws -> [UInt8] {
      if let bytes = request.body.bytes { return bytes }
      do { return try await request.body.collect(upTo: .max) } catch let error as HTTPBodyError {
        throw TransportError(.unreadableBody, error.description, requestMayHaveLeft: false)
      }
    }

    /// Ends every running call with an error of kind `shutDown`, closes all connections, and returns when the thread
    /// has released everything. Later requests fail with `shutDown`. You can call it more than once.
    package func shutdown() async { await engine.stopAndWait() }
  }

  /// How the calls to a server are distributed over its addresses.
  package enum HTTP2Balancing: String, Sendable, Hashable, CaseIterable {
    /// All addresses in turn.
    case roundRobin = "round_robin"
    /// The first address that accepts connections.
    case pickFirst = "pick_first"
  }
#endif
