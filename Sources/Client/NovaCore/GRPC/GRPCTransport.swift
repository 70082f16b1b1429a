#if GRPC
  import NovaSupport

  /// Sends the requests of `grpc://` URLs as gRPC over HTTP/2, and all others over HTTP.
  ///
  /// What it returns is what a gateway would have answered: the message in binary, or the failure with an HTTP status and
  /// gRPC's fields. So retries, authorization, logs, and the circuit breaker are the same for both.
  package final class GRPCTransport: HTTPTransport {
    private let services: HTTP2Transport
    private let http: any HTTPTransport

    /// - Parameters:
    ///   - services: sends the calls of services.
    ///   - http: sends everything else, such as the bytes of media.
    package init(services: HTTP2Transport, http: any HTTPTransport) {
      self.services = services
      self.http = http
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      guard request.url.origin.usesGRPC else { return try await http.send(request) }
      let limit = request.limits.maximumResponseBytes
      var sent = request
      // The transport counts all bytes of the answer, and the messages of a stream are limited one by one.
      sent.limits.maximumResponseBytes = limit.addingReportingOverflow(GRPCFrames.prefixLength).partialValue
      if request.streamsResponse || limit > Int.max - GRPCFrames.prefixLength {
        sent.limits.maximumResponseBytes = .max
      }
      let received: HTTP2Transport.Response
      do {
        received = try await services.send(sent)
      } catch let error as TransportError {
        guard let answer = GRPCAnswer(error) else { throw error }
        return answer.response([:]) { () throws(GRPCViolation) in .empty }
      }
      if case .stream(let chunks) = received.body { return streamed(chunks, of: received) }
      let body = received.body.inMemory
      let answer = GRPCAnswer(
        status: received.status, headers: received.headers, hasMessages: !body.isEmpty, trailers: received.trailers)
      return answer.response(received.headers) { () throws(GRPCViolation) in
        // A stream may have no messages: then its head is all there is, and the call succeeded.
        if request.streamsResponse { return received.body }
        return .bytes(try GRPCFrames.onlyMessage(of: body, limit: limit))
      }
    }

    /// A response whose messages arrive while they are read. Its end counts as one only with a status.
    private func streamed(_ chunks: HTTPBodyStream, of received: HTTP2Transport.Response) -> HTTPResponse {
      guard received.status == 200, received.headers.isGRPC else {
        // The body, which is dropped, cannot be gRPC's.
        return GRPCAnswer(status: received.status, headers: received.headers, hasMessages: false, trailers: [:])
          .response(received.headers) { () throws(GRPCViolation) in .empty }
      }
      let body = EndingWithStatus(chunks: chunks, received: received)
      return HTTPResponse(status: 200, headers: received.headers, body: .stream(HTTPBodyStream(body)))
    }

    package func shutdown() async {
      async let ended: Void = services.shutdown()
      await http.shutdown()
      await ended
    }
  }

  /// The body of a stream, which ends with a failure unless the server reports success after it.
  private struct EndingWithStatus: AsyncSequence, Sendable {
    let chunks: HTTPBodyStream
    let received: HTTP2Transport.Response

    struct AsyncIterator: AsyncIteratorProtocol {
      var chunks: HTTPBody.AsyncIterator
      let received: HTTP2Transport.Response
      private var hasMessages = false

      init(chunks: HTTPBody.AsyncIterator, received: HTTP2Transport.Response) {
        (self.chunks, self.received) = (chunks, received)
      }

      mutating func next() async throws -> [UInt8]? {
        do {
          if let chunk = try await chunks.next() {
            hasMessages = true
            return chunk
          }
        } catch let error as TransportError {
          throw GRPCAnswer(error)?.failureInTrailers ?? error
        }
        let trailers = received.streamedTrailers?() ?? [:]
        let answer = GRPCAnswer(
          status: received.status, headers: received.headers, hasMessages: hasMessages, trailers: trailers)
        if let failure = answer.failureInTrailers { throw failure }
        return nil
      }
    }

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(chunks: HTTPBody.stream(chunks).makeAsyncIterator(), received: received)
    }
  }

  extension GRPCAnswer {
    /// The failure as readers of a body get it; nil for success.
    fileprivate var failureInTrailers: FailureInTrailers? {
      guard case .failure = self else { return nil }
      return FailureInTrailers(headers: response([:]) { () throws(GRPCViolation) in .empty }.headers)
    }

    /// The answer that a stream's reset is, by gRPC's table; nil for other failures of the network, and for a stream that
    /// the server refused, which it has not begun to process.
    fileprivate init?(_ error: TransportError) {
      guard let code = error.streamCode else { return nil }
      let status: GRPCStatus? =
        switch code {
        case .noError, .protocolError, .internalError, .flowControlError, .frameSizeError, .compressionError:
          .internalError
        case .cancel: .cancelled
        case .enhanceYourCalm: .resourceExhausted
        case .inadequateSecurity: .permissionDenied
        default: nil
        }
      guard let status else { return nil }
      self = .failure(status, ["grpc-message": error.message])
    }
  }
#endif
