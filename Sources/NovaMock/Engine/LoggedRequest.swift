import NovaCore

/// A request with its response, as it was received.
struct LoggedRequest: Sendable {
  /// A longer path is cut when it is stored.
  private static let longestPath = 2000

  var number = 0
  let time: Double
  let method: HTTPMethod
  /// The path with its query.
  let path: String
  let rpc: RPCDescriptor?
  /// The status of the response; nil without a response.
  let status: Int?
  let duration: Duration
  let requestID: String?
  let fault: String?
  let stub: String?
  /// Nil once they were dropped to save memory.
  private(set) var requestHeaders: HTTPHeaders?
  private(set) var responseHeaders: HTTPHeaders?
  private(set) var requestBody: LoggedBytes
  private(set) var responseBody: LoggedBytes
  /// The bytes that ``dropContent()`` frees.
  private(set) var contentSize: Int

  init(
    _ call: IncomingCall, _ result: (response: HTTPResponse?, stub: String?), fault: String?, duration: Duration,
    time: Double
  ) {
    let (request, response) = (call.request, result.response)
    let path = call.query.isEmpty ? call.path : "\(call.path)?\(call.query)"
    self.time = time
    self.path = path.utf8.count > Self.longestPath ? path.shortened(to: Self.longestPath) : path
    self.duration = duration
    self.fault = fault
    method = request.method
    rpc = call.rpc
    status = response?.status
    requestID = request.headers["X-Request-ID"]
    stub = result.stub
    requestHeaders = request.headers
    responseHeaders = response?.headers ?? [:]
    requestBody = LoggedBytes(request.body.inMemory)
    responseBody = LoggedBytes(response?.body.inMemory ?? [])
    contentSize =
      request.headers.storedSize + (response?.headers.storedSize ?? 0) + requestBody.keptCount + responseBody.keptCount
  }

  mutating func dropContent() {
    requestHeaders = nil
    responseHeaders = nil
    requestBody.drop()
    responseBody.drop()
    contentSize = 0
  }
}

/// A body, or its size once it was dropped to save memory.
enum LoggedBytes: Sendable {
  case kept([UInt8])
  case dropped(count: Int)

  /// The maximum size of a stored body.
  static let largest = 1 << 20

  init(_ bytes: [UInt8]) { self = bytes.count <= Self.largest ? .kept(bytes) : .dropped(count: bytes.count) }

  /// The size of the body.
  var count: Int {
    switch self {
    case .kept(let bytes): bytes.count
    case .dropped(let count): count
    }
  }

  var keptCount: Int { if case .kept(let bytes) = self { bytes.count } else { 0 } }

  /// The body; nil if it was dropped.
  var bytes: [UInt8]? { if case .kept(let bytes) = self { bytes } else { nil } }

  fileprivate mutating func drop() { if case .kept(let bytes) = self { self = .dropped(count: bytes.count) } }
}

extension HTTPHeaders {
  /// The memory that they use, about.
  fileprivate var storedSize: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
}
