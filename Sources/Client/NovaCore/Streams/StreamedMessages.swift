/// The messages of a streamed response: server-sent events, grpc-gateway's lines of JSON, or Envoy's list.
struct StreamedMessages<Message: Sendable>: AsyncSequence, Sendable {
  typealias Decoder = @Sendable ([UInt8]) throws(ProtoJSONError) -> Message

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var items: Items
    fileprivate let rpc: RPCDescriptor
    fileprivate let envelope: StreamEnvelope
    fileprivate let secrets: SentRequest?
    fileprivate let status: Int
    fileprivate let decode: Decoder

    fileprivate enum Items {
      case events(ServerSentEvents.AsyncIterator)
      case values(JSONValues)
      #if GRPC
        case frames(HTTPBody.AsyncIterator, GRPCFrames)
      #endif
    }

    mutating func next() async throws -> Message? {
      do {
        switch items {
        case .events(var events):
          defer { items = .events(events) }
          return try await message(in: &events)
        case .values(var values):
          defer { items = .values(values) }
          guard let value = try await next(in: &values) else { return nil }
          return try message(in: value)
        #if GRPC
          case .frames(var chunks, var frames):
            defer { items = .frames(chunks, frames) }
            guard let message = try await next(in: &frames, of: &chunks) else { return nil }
            do { return try decode(message) } catch { throw misfit(error, message) }
        #endif
        }
      } catch {
        var failure = APIError(anyFailure: error)
        if let secrets { failure = secrets.redactor(rpc).masked(failure) }
        failure.rpc = failure.rpc ?? rpc.id
        throw failure
      }
    }

    private func message(in events: inout ServerSentEvents.AsyncIterator) async throws -> Message? {
      while let item = try await events.next() {
        guard case .event(let event) = item else { continue }
        switch StreamControl(rawValue: event.type) {
        case .end: return nil
        case .reset:
          throw APIError(
            .failedPrecondition,
            "position gone", reason: "the gateway no longer has what followed it",
            advice: "read afresh, and stream without a position",
            rpc: rpc.id)
        case nil: return try message(in: event.data.utf8Bytes)
        }
      }
      guard events.hasLostEvent else { return nil }
      throw APIError(
        .invalidResponse, "incomplete stream", reason: "it ended inside a message, which is lost", rpc: rpc.id)
    }

    private func next(in values: inout JSONValues) async throws -> [UInt8]? {
      do { return try await values.next() } catch let error as ProtoJSONError { throw misfit(error) }
    }

    #if GRPC
      private func next(
        in frames: inout GRPCFrames, of chunks: inout HTTPBody.AsyncIterator
      ) async throws -> [UInt8]? {
        do {
          while true {
            if let message = try frames.next() { return message }
            guard let chunk = try await chunks.next() else {
              if frames.isInsideMessage { throw GRPCViolation.incomplete }
              return nil
            }
            frames.append(chunk)
          }
        } catch let error as GRPCViolation {
          throw APIError(
            .invalidResponse, "not as gRPC requires", reason: error.reason, rpc: rpc.id, httpStatus: status,
            grpcStatus: error.status)
        }
      }
    #endif

    private func message(in value: [UInt8]) throws -> Message {
      let body = try envelope.message(in: value, status: status)
      do { return try decode(body) } catch { throw misfit(error, body) }
    }

    private func misfit(_ error: ProtoJSONError, _ body: [UInt8] = []) -> APIError {
      if let message = error.messageWithoutField {
        return APIError(foreign: body, inPlaceOf: message, httpStatus: status)
      }
      return APIError(
        .decodingError, "a streamed response does not match the contract", reason: "\(error)", rpc: rpc.id)
    }
  }

  private let response: APIResponse<HTTPBody>
  private let rpc: RPCDescriptor
  private let decode: Decoder
  /// The longest message over gRPC, in bytes.
  private let messageLimit: Int

  private var items: AsyncIterator.Items {
    #if GRPC
      if response.headers.isGRPC {
        return .frames(response.value.makeAsyncIterator(), GRPCFrames(limit: messageLimit))
      }
    #endif
    if response.headers.isEventStream { return .events(ServerSentEvents(response.value).makeAsyncIterator()) }
    return .values(JSONValues(response.value))
  }

  init(
    of response: APIResponse<HTTPBody>, _ rpc: RPCDescriptor, messageLimit: Int, decode: @escaping Decoder
  ) {
    self.messageLimit = messageLimit
    self.response = response
    self.rpc = rpc
    self.decode = decode
  }

  /// Checks the type of the response: what is neither a stream of events nor JSON has no messages, and must not look like a
  /// stream that ends without one.
  ///
  /// - Throws: ``APIError`` `invalidResponse`.
  static func check(_ response: APIResponse<HTTPBody>, _ rpc: RPCDescriptor) throws(APIError) {
    // Explicitly without content.
    if response.status == 204 || response.headers.isEventStream || response.headers.isGRPC { return }
    guard response.headers.contentTypeName.contains("json"), !response.headers.isProblem else {
      var error = APIError(
        .invalidResponse,
        "not what the contract describes",
        reason: "expected a stream of messages (text/event-stream or JSON), got "
          + (response.headers["Content-Type"]?.printable(to: 60) ?? "no content type"), rpc: rpc, response: response)
      error.isFromAnotherServer = true
      throw error
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      items: items, rpc: rpc, envelope: StreamEnvelope(of: rpc), secrets: response.sent, status: response.status,
      decode: decode)
  }
}

/// The types of server-sent events that are about the stream itself.
package enum StreamControl: String, Sendable {
  /// The server closes on purpose.
  case end
  /// The server no longer has the events after the position to resume from.
  case reset

  /// What clients ask for in `Accept`.
  static let accepted = "text/event-stream, application/x-ndjson, application/json"
  /// The longest silence of a server that is alive. It sends a sign of life every 15 seconds, of which one may be late.
  package static let longestSilence = Duration.seconds(40)
}
