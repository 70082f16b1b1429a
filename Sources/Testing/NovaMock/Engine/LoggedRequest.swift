import NovaCore
import NovaRegistry

/// A request with its response, as it was received.
struct LoggedRequest: Sendable {
  /// What stays of a long path, request id, or fault once the content is dropped.
  private static let longestPath = 2000, longestName = 200

  /// 0 until the log has counted it.
  var number = 0
  /// When it arrived, in Unix seconds: by the system's clock until the log has dated it by the backend's.
  var time: Double
  /// The protocol of the call, for example `gRPC`.
  let protocolName: String
  let method: HTTPMethod
  /// The path with its query. Once the content is dropped, it is masked and cut.
  private(set) var path: String
  let rpc: RPCDescriptor?
  /// The status of the response; nil without a response.
  let status: Int?
  let duration: Duration
  /// Once the content is dropped, it is masked and cut.
  private(set) var requestID: String?
  private(set) var fault: String?
  let stub: String?
  /// Why the request was refused before it became a call; nil for calls.
  let refusal: String?
  /// Where the response comes from; nil for the backend and its stubs.
  let origin: ResponseOrigin?
  /// Why nothing was prepared for the request, without secrets; nil if something was.
  let unmatched: String?
  /// Nil once they were dropped to save memory.
  private(set) var requestHeaders: HTTPHeaders?
  private(set) var responseHeaders: HTTPHeaders?
  private(set) var requestBody: LoggedBytes
  private(set) var responseBody: LoggedBytes
  /// The bytes that ``dropContent()`` frees.
  private(set) var contentSize: Int

  /// Stops counting the content, and returns the entry with it, for ``dropContent()`` outside of a lock.
  mutating func releaseContent() -> LoggedRequest {
    defer { contentSize = 0 }
    return self
  }

  mutating func dropContent() {
    let secrets = secrets
    path = path.masked(secrets).shortened(to: Self.longestPath)
    requestID = requestID.map { secrets.shown($0).shortened(to: Self.longestName) }
    fault = fault?.shortened(to: Self.longestName)
    requestHeaders = nil
    responseHeaders = nil
    requestBody.drop()
    responseBody.drop()
    contentSize = 0
  }
}

extension LoggedRequest {
  /// - Parameter response: the response; nil if a fault prevented one.
  init(_ call: IncomingCall, _ response: HTTPResponse?) {
    let duration = call.start.duration(to: call.clock.moment)
    let fault = call.fault.names.isEmpty ? nil : call.fault.name
    var path = call.query.isEmpty ? call.path : "\(call.path)?\(call.query)"
    var requestID = call.requestID
    var (requestHeaders, responseHeaders) = (call.request.headers, response?.headers ?? [:])
    let requestBody = LoggedBytes(requestOf: call)
    var responseBody = LoggedBytes(response?.body ?? .empty, message: call.reply)
    if requestBody.isDropped {
      // Without the body of the request, its secrets cannot be found later, and the response may contain them.
      let secrets = SecretRedactor(call.request, call.rpc)
      path = path.masked(secrets)
      requestID = requestID.map(secrets.shown)
      (requestHeaders, responseHeaders) = (requestHeaders.masked(secrets), responseHeaders.masked(secrets))
      // The bytes of an upload are no part of the response.
      if call.chunk == nil { responseBody.drop() }
    }
    let contentSize =
      requestHeaders.storedSize + responseHeaders.storedSize + requestBody.keptCount + responseBody.keptCount
      + path.utf8.count + (requestID?.utf8.count ?? 0) + (fault?.utf8.count ?? 0)
    self.init(
      time: call.clock.unixTime - duration / .seconds(1), protocolName: call.original?.transcoder.name ?? "HTTP",
      method: call.request.method, path: path, rpc: call.rpc,
      status: response?.status, duration: duration, requestID: requestID, fault: fault, stub: call.stub,
      refusal: nil, origin: call.origin, unmatched: call.unmatched,
      requestHeaders: requestHeaders, responseHeaders: responseHeaders,
      requestBody: requestBody, responseBody: responseBody, contentSize: contentSize)
  }
}

extension LoggedRequest {
  /// A request that was refused before it became a call. It has no RPC, and its body is not stored.
  ///
  /// - Parameter failure: why it was refused.
  init(refused request: HTTPRequest, over protocolName: String, _ failure: MockFailure) {
    let (response, clock) = (failure.response, ContinuousClock())
    let path = request.url.query.map { "\(request.url.path)?\($0)" } ?? request.url.path
    let size = request.body.length ?? 0
    self.init(
      time: clock.unixTime, protocolName: protocolName, method: request.method, path: path, rpc: nil,
      status: response.status, duration: .zero, requestID: request.headers[ContractHeaders.requestID], fault: nil,
      stub: nil, refusal: failure.message, origin: nil, unmatched: nil, requestHeaders: request.headers,
      responseHeaders: response.headers,
      requestBody: size == 0 ? .kept([]) : .dropped(count: size), responseBody: LoggedBytes(response.body),
      contentSize: request.headers.storedSize + response.headers.storedSize + path.utf8.count
        + (response.body.length ?? 0))
  }
}

extension LoggedRequest {
  /// Masks the secrets of the request, as far as it is stored. It takes long for a large body.
  var secrets: SecretRedactor {
    SecretRedactor(
      HTTPRequest(
        method: method, url: HTTPURL(received: path), headers: requestHeaders ?? [:], body: requestBody.bytes ?? []),
      rpc)
  }
}

/// A body, or its size once it was dropped to save memory.
enum LoggedBytes: Sendable {
  case kept([UInt8])
  /// A message that did not arrive as JSON, with its size. It becomes JSON when it is shown.
  indirect case message(any ProtoMessage, count: Int)
  case dropped(count: Int)

  /// The maximum size of a stored body.
  static let largest = 1 << 20

  /// - Parameter message: what the body is, unless it is JSON.
  init(_ body: HTTPBody, message: (any ProtoMessage)? = nil) {
    if let message, let count = body.length, count <= Self.largest {
      self = .message(message, count: count)
    } else if let bytes = body.bytes, bytes.count <= Self.largest {
      self = .kept(bytes)
    } else {
      self = .dropped(count: body.length ?? 0)
    }
  }

  /// The body of a request.
  init(requestOf call: IncomingCall) {
    if let chunk = call.chunk {
      self = .dropped(count: Int(chunk.received))
    } else if let original = call.original {
      let message = try? original.message.get()
      self = message.map { .message($0, count: original.size) } ?? .dropped(count: original.size)
    } else {
      self.init(call.request.body)
    }
  }

  /// The size of the body.
  var count: Int {
    switch self {
    case .kept(let bytes): bytes.count
    case .message(_, let count), .dropped(let count): count
    }
  }

  var isDropped: Bool { if case .dropped = self { true } else { false } }

  var keptCount: Int { if case .dropped = self { 0 } else { count } }

  /// The body, as JSON if it was a message; nil if it was dropped.
  var bytes: [UInt8]? {
    switch self {
    case .kept(let bytes): bytes
    case .message(let message, _): try? message.jsonUTF8(.response)
    case .dropped: nil
    }
  }

  fileprivate mutating func drop() { self = .dropped(count: count) }
}

extension HTTPHeaders {
  /// The headers without secrets. The scheme of credentials stays: `Bearer ****`.
  func masked(_ secrets: SecretRedactor) -> HTTPHeaders {
    HTTPHeaders(
      fields.map { field in
        guard SecretText.isSecret(name: field.name) else {
          let isToken = SecretText.looksLikeToken(field.value)
          return Field(name: field.name, value: isToken ? SecretText.mask : secrets.shown(field.value))
        }
        let scheme = ["Bearer", "Basic"].first { field.value.lowercased().hasPrefix("\($0.lowercased()) ") }
        return Field(name: field.name, value: (scheme.map { "\($0) " } ?? "") + SecretText.mask)
      })
  }

  /// The memory that they use, about.
  fileprivate var storedSize: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
}

extension String {
  /// A path without secrets: those of the request, tokens, and the values of parameters with secret names. The fixed words
  /// of paths stay, even if a password is the same word.
  func masked(_ secrets: SecretRedactor) -> String {
    let path = prefix { $0 != "?" }
    let shownPath = secrets.masked(path: String(path), words: ContractWords.nova.segments).withoutTokens
    guard path.endIndex < endIndex else { return shownPath }
    let parameters = self[index(after: path.endIndex)...].split(separator: "&", omittingEmptySubsequences: false)
    let masked = parameters.map { parameter in
      guard let equals = parameter.firstIndex(of: "="), equals < parameter.index(before: parameter.endIndex),
        PercentEncoding.pairs(String(parameter)).contains(where: { SecretText.isSecretParameter($0.name) })
      else { return String(parameter) }
      return parameter[...equals] + SecretText.mask
    }
    return "\(shownPath)?\(secrets.shown(masked.joined(separator: "&")))"
  }

  /// The text with the mask in place of tokens.
  var withoutTokens: String { SecretText.replacingTokens(in: self) { _ in SecretText.mask } ?? self }
}

extension SecretRedactor {
  /// Text without the secrets, and without anything that is a token.
  func shown(_ text: String) -> String { masked(text).withoutTokens }
}

extension ContractWords {
  static let nova = ContractWords(.nova)
}
