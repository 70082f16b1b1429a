#if GRPC
  /// The standard service by which gRPC servers report their state, `grpc.health.v1.Health`.
  enum GRPCHealth {
    /// Asks for the state of all services of a server.
    ///
    /// - Returns: if the server answers, and does not report that it is not serving: many have no such service.
    /// - Throws: ``TransportError`` if it does not.
    static func check(_ url: HTTPURL, over transport: any HTTPTransport, _ limits: TransferLimits) async throws {
      let request = HTTPRequest(
        method: .post, url: HTTPURL(url.origin, target: "/grpc.health.v1.Health/Check"),
        headers: ["Content-Type": GRPCTranscoder.contentType, "TE": "trailers"], body: emptyRequest, limits: limits)
      let response = try await transport.send(request)
      guard response.isSuccess, response.body.bytes == notServing else { return }
      throw TransportError(
        .unavailable, "the server at \(url.origin.place) reports that it is not serving",
        requestMayHaveLeft: true)
    }

    /// A message without fields, which asks for all services.
    private static let emptyRequest = [UInt8](repeating: 0, count: GRPCFrames.prefixLength)
    /// The field `status` with NOT_SERVING.
    private static let notServing: [UInt8] = [0x08, 0x02]
  }
#endif
