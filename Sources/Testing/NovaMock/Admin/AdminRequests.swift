import NovaCore
import NovaRegistry

/// Logged requests in the admin API.
struct AdminRequests {
  let backend: MockBackend

  /// The maximum number of requests with headers and whole bodies.
  private static let maximumFullCount = 500

  /// The size of the requests that are masked in any case, in bytes.
  private static let longestUnwatched = 256 << 10

  func list(_ query: String) async throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["after", "limit", "full"])
    let after = try query.number("after", in: 0...Int.max, default: 0)
    let isFull = try query.flag("full")
    let maximum = isFull ? Self.maximumFullCount : RequestLog.capacity
    let limit = try query.number("limit", in: 1...maximum, default: maximum)
    let (requests, log) = backend.log.withLock { log in
      (log.requests(after: after, limit: limit), (id: log.id, first: log.first, last: log.last, cleared: log.cleared))
    }
    return try await apart {
      var size = 0
      let entries = try requests.map { request in
        // A client that has sent everything may still read: it gets what takes no time.
        if size > Self.longestUnwatched { try Task.checkCancellation() }
        size += request.contentSize
        return isFull ? Self.fullEntry(request) : .object(Self.entry(MockRequestRecord(request)))
      }
      return .json([
        "requests": .array(entries), "log": .string(log.id), "first": .number(log.first), "last": .number(log.last),
        "cleared": .number(log.cleared),
      ])
    }
  }

  /// One request with its headers and its bodies.
  func request(_ id: String) async throws -> HTTPResponse {
    guard let number = Int(id), number > 0, number < Int.max,
      let request = backend.log.withLock({ $0.requests(after: number - 1, limit: 1) }).first, request.number == number
    else { throw MockFailure(.notFound, "not found: request \(id.quoted); it does not exist or is no longer stored") }
    return try await apart { .json(Self.fullEntry(request)) }
  }

  func removeAll() async throws -> HTTPResponse {
    backend.clearRequests()
    return try await list("")
  }

  /// Masks requests and encodes them, which takes long: not on the thread that runs the connections, and no longer than
  /// the client waits.
  private func apart(_ body: @escaping @Sendable () throws -> HTTPResponse) async throws -> HTTPResponse {
    let task = Task.detached { try body() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private static func fullEntry(_ request: LoggedRequest) -> JSONValue {
    let secrets = request.secrets
    let record = MockRequestRecord(request, secrets, limits: .all)
    return .object(
      entry(record) + [
        .init(name: "request_headers", value: record.requestHeaders.map(pairs) ?? .null),
        .init(name: "response_headers", value: record.responseHeaders.map(pairs) ?? .null),
        // As text, because JavaScript rounds large numbers.
        .init(name: "message", value: text(request.message(secrets))),
      ])
  }

  private static func pairs(_ headers: HTTPHeaders) -> JSONValue {
    .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private static func entry(_ record: MockRequestRecord) -> [JSONValue.Member] {
    let entry: [(String, JSONValue)] = [
      ("number", .number(record.number)), ("time", .string(time(record.unixTime))),
      ("protocol", .string(record.protocolName)), ("method", .string(record.method)), ("path", .string(record.path)),
      ("rpc", text(record.rpc)),
      ("status", record.status.map { .number($0) } ?? .null),
      ("duration_ms", .number(milliseconds(record.duration))), ("request_id", text(record.requestID)),
      ("fault", text(record.fault)), ("stub", text(record.stub)), ("refusal", text(record.refusal)),
      ("origin", text(record.origin)),
      ("unmatched", text(record.unmatched)), ("request_body", text(record.requestBody)),
      ("response_body", text(record.responseBody)), ("request_size", .number(record.requestSize)),
      ("response_size", .number(record.responseSize)), ("complete", .bool(record.isComplete)),
    ]
    return entry.map { .init(name: $0.0, value: $0.1) }
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

  private static func time(_ unixTime: Double) -> String {
    let milliseconds = Int64((unixTime * 1000).rounded(.down))
    let seconds = (Double(milliseconds) / 1000).rounded(.down)
    let rest = milliseconds - Int64(seconds) * 1000
    return Timestamp(seconds: Int64(seconds), nanoseconds: Int32(rest) * 1_000_000).description
  }

  /// Formats a duration in milliseconds with three decimal places.
  private static func milliseconds(_ duration: Duration) -> String {
    let microseconds = Int(max(0, duration / .microseconds(1)))
    return "\(microseconds / 1000).\((microseconds % 1000).padded(to: 3))"
  }
}

extension LoggedRequest {
  /// The request message of the RPC as JSON, masked; nil if there is none or it is no longer stored.
  fileprivate func message(_ secrets: SecretRedactor) -> String? {
    guard let rpc, let sentMessage else { return nil }
    return json(of: sentMessage, rpc, secrets)
  }

  /// The request message of the RPC; nil without one, or if it is no longer stored.
  var sentMessage: (any ProtoMessage)? {
    guard let rpc, let bytes = requestBody.bytes, requestHeaders != nil else { return nil }
    if case .message(let message, _) = requestBody { return message }
    guard case .api(.rpc(_, let variables)) = route else { return nil }
    return try? HTTPTranscoder.message(
      rpc.requestType, rpc.http, variables: variables, query: url.query ?? "", body: bytes)
  }

  private func json(of message: any ProtoMessage, _ rpc: RPCDescriptor, _ secrets: SecretRedactor) -> String? {
    guard let json = try? JSONValue(jsonUTF8: message.jsonUTF8(.request)) else { return nil }
    let masked = secrets.masked(SecretText.masked(json, names: SecretText.names(in: rpc.requestType)))
    return String(decoding: masked.jsonUTF8, as: UTF8.self)
  }

  private var url: HTTPURL { HTTPURL(received: path) }

  private var route: CallRoute { CallRoute(method, path: url.path) }
}
