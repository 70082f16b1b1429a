#if Server
  package import NovaCore
  package import NovaMock
  package import NovaRecording

  /// Passes requests on to a gateway, and its responses back. Bodies pass while they arrive, no faster than the other side
  /// reads them; connections to the gateway are kept.
  ///
  /// Requests and responses stay as they are, except for what belongs to one connection (RFC 9110, section 7.6.1), and the
  /// `Host`, which is the gateway's.
  package struct GatewayProxy: CallResponder {
    /// The base URL of the gateway.
    package let target: HTTPURL
    let transportOptions: CurlTransport.Options
    private let transport: any HTTPTransport
    /// Whether what passes must be readable: secrets cannot be found in compressed bodies.
    private let isRecorded: Bool

    /// - Parameters:
    ///   - target: the base URL of the gateway, without a query.
    ///   - recorder: records what passes; nil for no recording.
    ///   - options: how to reach the gateway. Default: the proxies of the environment and the certificates of the system.
    package init(target: HTTPURL, recorder: Recorder? = nil, options: CurlTransport.Options = CurlTransport.Options()) {
      var options = options
      // A slow client must not keep the others waiting, and the client follows redirects itself.
      options.connections.maximumTransfers = 100_000
      options.connections.maximumKeptConnections = 256
      options.maximumRedirects = 0
      options.userAgent = ""
      self.target = target
      transportOptions = options
      let transport = CurlTransport(options: options)
      self.transport = recorder?.recording(transport) ?? transport
      isRecorded = recorder != nil
    }

    package var streamsRequests: Bool { true }

    package func reset() {}

    package nonisolated(nonsending) func respond(to request: HTTPRequest) async throws -> SourcedResponse {
      .response(try await send(request), from: .gateway)
    }

    /// Sends a request to the gateway.
    ///
    /// - Returns: the response, whose body may still be arriving; one with the status 502 or 504 if the gateway cannot be
    ///   reached.
    /// - Throws: ``TransportError`` if the gateway has closed the connection without a response; `CancellationError`.
    nonisolated(nonsending) func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      do {
        var response = try await transport.send(forwarded(request))
        response.headers = response.headers.withoutConnectionFields()
        return response
      } catch let error as TransportError where error.kind != .connectionLost {
        return Self.noResponse(error)
      }
    }

    /// Ends what passes, and closes all connections to the gateway.
    package func shutdown() async { await transport.shutdown() }

    /// The URL of a request on the gateway.
    func url(of request: HTTPURL) -> HTTPURL {
      let prefix = target.target.hasSuffix("/") ? String(target.target.dropLast()) : target.target
      return HTTPURL(target.origin, target: prefix + request.target)
    }

    private func forwarded(_ request: HTTPRequest) -> HTTPRequest {
      var forwarded = request
      forwarded.url = url(of: request.url)
      forwarded.headers = request.headers.forwardedByProxy(isRecorded: isRecorded)
      forwarded.limits = TransferLimits(
        idleTimeout: Self.unlimited, totalTimeout: Self.unlimited, maximumResponseBytes: .max)
      forwarded.streamsResponse = true
      forwarded.decompressesResponse = false
      forwarded.isForwarded = true
      return forwarded
    }

    /// Decompresses a body for a recorder; nil if it cannot be.
    package static func decode(_ body: [UInt8], _ coding: String) -> [UInt8]? {
      guard ["gzip", "x-gzip"].contains(coding) else { return nil }
      return try? Gzip.decompress(body, upTo: 64 << 20)
    }

    /// The client and the gateway decide how long they wait.
    private static let unlimited = Duration.seconds(10 * 365 * 86_400)

    static func noResponse(_ error: TransportError) -> HTTPResponse {
      let isLate = [.connectTimeout, .idleTimeout, .totalTimeout].contains(error.kind)
      return MockFailure(
        isLate ? .deadlineExceeded : .unavailable, "no response from the gateway: \(error.message)",
        httpStatus: isLate ? 504 : 502
      ).response
    }
  }

  extension HTTPHeaders {
    /// The fields that belong to one connection, whatever `Connection` names.
    private static let ofConnection = [
      "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Transfer-Encoding",
    ]

    /// The fields of a response for the next connection. What frames the body stays.
    func withoutConnectionFields() -> HTTPHeaders {
      let named = FieldList.elements(values(for: "Connection"))
      return HTTPHeaders(
        fields.filter { field in
          !(Self.ofConnection + named).contains { field.name.equalsIgnoringASCIICase($0) }
        })
    }

    /// The fields of a request for the gateway, whose transport frames the body.
    ///
    /// - Parameter isRecorded: whether to accept only what a recorder can decompress.
    func forwardedByProxy(isRecorded: Bool) -> HTTPHeaders {
      let own = ["Host", "Content-Length", "Expect", "Upgrade"]
      var headers = HTTPHeaders(
        withoutConnectionFields().fields.filter { field in
          !own.contains { field.name.equalsIgnoringASCIICase($0) }
        })
      if isRecorded, headers["Accept-Encoding"] != nil {
        let readable = FieldList.elements(headers.values(for: "Accept-Encoding")).filter { element in
          ["gzip", "x-gzip", "identity"].contains(element.prefix { $0 != ";" && $0 != " " }.lowercased())
        }
        headers["Accept-Encoding"] = readable.isEmpty ? "identity" : readable.joined(separator: ", ")
      }
      return headers
    }
  }
#endif
