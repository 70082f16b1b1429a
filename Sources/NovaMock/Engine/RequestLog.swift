import NovaCore

/// A request with its response.
struct LoggedRequest: Sendable {
  fileprivate(set) var number = 0
  let time: Double
  let method: String
  let path: String
  let rpc: RPCDescriptor?
  /// The status of the response; nil without a response.
  let status: Int?
  let duration: Duration
  let requestID: String?
  let fault: String?
  fileprivate(set) var requestBody: LoggedBytes
  fileprivate(set) var responseBody: LoggedBytes
}

/// A body, or its size once it was dropped to save memory.
enum LoggedBytes: Sendable {
  case kept([UInt8])
  case dropped(count: Int)

  /// The maximum size of a stored body.
  static let largest = 1 << 20

  init(_ bytes: [UInt8]) { self = bytes.count <= Self.largest ? .kept(bytes) : .dropped(count: bytes.count) }

  var keptCount: Int { if case .kept(let bytes) = self { bytes.count } else { 0 } }

  fileprivate mutating func drop() { if case .kept(let bytes) = self { self = .dropped(count: bytes.count) } }
}

/// The most recent requests. Bodies are masked when they are read, because masking takes longer than most requests.
struct RequestLog: Sendable {
  static let capacity = 1000
  /// The maximum size of all bodies together; the oldest are dropped first.
  static let maximumBytes = 8 << 20

  private var entries: [LoggedRequest] = []
  /// The number of the last request.
  private(set) var last = 0
  private var bytes = 0
  /// The number of the first request whose bodies are stored.
  private var firstWithBodies = 1

  mutating func append(_ entry: LoggedRequest) {
    last += 1
    var entry = entry
    entry.number = last
    bytes += entry.bodyBytes
    if entries.count < Self.capacity {
      entries.append(entry)
    } else {
      bytes -= entries[place(last)].bodyBytes
      entries[place(last)] = entry
    }
    firstWithBodies = max(firstWithBodies, first)
    while bytes > Self.maximumBytes, firstWithBodies < last {
      bytes -= entries[place(firstWithBodies)].bodyBytes
      entries[place(firstWithBodies)].dropBodies()
      firstWithBodies += 1
    }
  }

  func requests(after number: Int, limit: Int) -> [LoggedRequest] {
    let start = max(first, min(max(0, number), last) + 1)
    let end = min(last, start - 1 + min(max(0, limit), Self.capacity))
    return start <= end ? (start...end).map { entries[place($0)] } : []
  }

  private var first: Int { last - entries.count + 1 }

  private func place(_ number: Int) -> Int { (number - 1) % Self.capacity }
}

extension LoggedRequest {
  fileprivate var bodyBytes: Int { requestBody.keptCount + responseBody.keptCount }

  fileprivate mutating func dropBodies() {
    requestBody.drop()
    responseBody.drop()
  }
}

extension MockBackend {
  func record(
    _ call: IncomingCall, response: HTTPResponse?, fault: String?, duration: Duration, clock: any CallClock
  ) {
    let request = call.request
    let entry = LoggedRequest(
      time: clock.unixTime - duration / .seconds(1), method: request.method.rawValue,
      path: call.query.isEmpty ? call.path : "\(call.path)?\(call.query)", rpc: call.rpc, status: response?.status,
      duration: duration, requestID: request.headers["X-Request-ID"], fault: fault,
      requestBody: LoggedBytes(request.body.inMemory), responseBody: LoggedBytes(response?.body.inMemory ?? []))
    log.withLock { $0.append(entry) }
  }
}
