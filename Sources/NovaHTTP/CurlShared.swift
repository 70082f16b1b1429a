internal import CNovaCurl

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the transfers of a loop have in common. Like them it belongs to the engine's runner.
final class CurlShared {
  let options: CurlTransport.Options
  /// The time when it was last read: in each round of the loop, not for each event.
  private(set) var now: Int64
  var connections = TLSConnections()
  /// Servers that go away, with the last stream that each will have processed, until all transfers have heard of it.
  var goaways: [(connection: CurlConnection, lastStream: Int64)] = []
  /// How many responses have arrived.
  private(set) var responseCount = 0
  /// No deadline is earlier. Only ever too early, which costs a look at them all.
  private(set) var nextDeadline = Int64.max

  private var lastAddress: (text: [CChar], isLoopback: Bool) = ([], false)

  init(options: CurlTransport.Options) {
    self.options = options
    now = options.now
  }

  func noteResponse() { responseCount += 1 }

  func readClock() { now = options.now }

  /// Whether an address is this machine. Remembers the last one, because most requests go where the last one went.
  func isLoopback(_ address: UnsafePointer<CChar>) -> Bool {
    if !lastAddress.text.isEmpty, strcmp(address, lastAddress.text) == 0 { return lastAddress.isLoopback }
    let isLoopback = NetworkHost.isLoopback(String(cString: address))
    lastAddress = (Array(UnsafeBufferPointer(start: address, count: strlen(address) + 1)), isLoopback)
    return isLoopback
  }

  /// Forgets the connections and deadlines of an engine that has ended.
  func startAnew() { (connections, goaways, nextDeadline) = (TLSConnections(), [], .max) }

  /// Lets the loop look at its transfers at this time, if not earlier.
  func look(at time: Int64) { nextDeadline = min(nextDeadline, time) }

  /// Whether it is time to look at the transfers, each of which then calls for the next look.
  func takeDeadline() -> Bool {
    guard now >= nextDeadline else { return false }
    nextDeadline = .max
    return true
  }
}

/// A TLS connection, as far as libcurl identifies it.
struct CurlConnection: Hashable {
  private let host: String
  private let port: Int
  private let localPort: Int32

  /// Returns `nil` for plaintext, which never uses HTTP/2 here.
  init?(_ url: HTTPURL, localPort: Int32) {
    guard url.origin.isSecure else { return nil }
    (host, port, self.localPort) = (url.origin.host, url.origin.port, localPort)
  }
}

/// Which TLS connections use HTTP/2.
///
/// An HTTP/2 server that closes a connection names the requests that it has not processed (GOAWAY, REFUSED_STREAM); nginx
/// does so every 1,000 requests. libcurl sends those again, which is safe, but does not report why. HTTP/1.1 has no
/// equivalent.
struct TLSConnections {
  private static let limit = 4096
  private var isHTTP2: [CurlConnection: Bool] = [:]
  private var hasForgotten = false

  /// Whether the connection on which libcurl has just given up, to try another, uses HTTP/2.
  ///
  /// One without any response so far must: libcurl never tries again what it sent first on an HTTP/1.1 connection.
  func speaksHTTP2(_ connection: CurlConnection) -> Bool { isHTTP2[connection] ?? !hasForgotten }

  /// Notes what the head of a response has shown.
  mutating func note(_ connection: CurlConnection?, isHTTP2 speaksHTTP2: Bool) {
    guard let connection, isHTTP2[connection] != speaksHTTP2 else { return }
    if isHTTP2.count >= Self.limit {
      isHTTP2 = [:]
      hasForgotten = true
    }
    isHTTP2[connection] = speaksHTTP2
  }
}
