/// The messages of a streamed response: server-sent events, or grpc-gateway's lines of JSON.
struct StreamedMessages<Message: Sendable>: AsyncSequence, Sendable {
  typealias Decoder = @Sendable ([UInt8]) throws(ProtoJSONError) -> Message

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var items: Items
    fileprivate let rpc: RPCDescriptor
    fileprivate let decode: Decoder

    fileprivate enum Items {
      case events(ServerSentEvents.AsyncIterator)
      case lines(JSONLines)
    }

    mutating func next() async throws -> Message? {
      do {
        switch items {
        case .events(var events):
          defer { items = .events(events) }
          return try await message(in: &events)
        case .lines(var lines):
          defer { items = .lines(lines) }
          guard let line = try await lines.next() else { return nil }
          return try message(in: line)
        }
      } catch {
        var failure = APIError(anyFailure: error)
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
            "position gone: the gateway no longer has what followed it; read afresh, and stream without a position",
            rpc: rpc.id)
        case nil: return try decoded(event.data.utf8Bytes)
        }
      }
      return nil
    }

    private func message(in line: [UInt8]) throws -> Message {
      let value = try JSONValue(jsonUTF8: line)
      if let error = value["error"], error != .null {
        throw APIError(HTTPResponse(status: 500, headers: ["Content-Type": "application/json"], body: .bytes(line)))
      }
      return try decoded(value["result"]?.jsonUTF8 ?? line)
    }

    private func decoded(_ body: [UInt8]) throws -> Message {
      do { return try decode(body) } catch {
        throw APIError(.decodingError, "a streamed response does not match the contract: \(error)", rpc: rpc.id)
      }
    }
  }

  private let response: APIResponse<HTTPBody>
  private let rpc: RPCDescriptor
  private let decode: Decoder

  init(of response: APIResponse<HTTPBody>, _ rpc: RPCDescriptor, decode: @escaping Decoder) {
    self.response = response
    self.rpc = rpc
    self.decode = decode
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      items: response.headers.isEventStream
        ? .events(ServerSentEvents(response.value).makeAsyncIterator()) : .lines(JSONLines(response.value)),
      rpc: rpc, decode: decode)
  }
}

/// The types of server-sent events that are about the stream itself.
package enum StreamControl: String, Sendable {
  /// The server closes on purpose.
  case end
  /// The server no longer has the events behind the position to resume from.
  case reset

  /// What clients ask for in `Accept`.
  static let accepted = "text/event-stream, application/x-ndjson, application/json"
  /// The longest silence of a server that is alive. It sends a sign of life every 15 seconds, of which one may be late.
  package static let longestSilence = Duration.seconds(40)
}

/// The lines of a body, each of which is a JSON value.
private struct JSONLines {
  private static let limit = ServerSentEventParser.defaultLimit

  private var chunks: HTTPBody.AsyncIterator
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ body: HTTPBody) { chunks = body.makeAsyncIterator() }

  /// The next line that is not empty; nil at the end.
  mutating func next() async throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        searched = start
        if line.contains(where: { $0 > UInt8(ascii: " ") }) { return Array(line) }
        continue
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      guard buffer.count <= Self.limit else { throw ServerSentEventError.tooLarge(limit: Self.limit) }
      guard let chunk = try await chunks.next() else {
        defer { buffer = [] }
        return buffer.contains(where: { $0 > UInt8(ascii: " ") }) ? buffer : nil
      }
      buffer.append(contentsOf: chunk)
    }
  }
}
