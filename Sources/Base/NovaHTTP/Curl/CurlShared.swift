internal import CNovaCurl
internal import NovaLibc

/// The state that all transfers of a loop share. Like them, it belongs to the engine's runner.
final class CurlShared {
  let options: CurlTransport.Options
  /// The time of the last reading. It is read once per round of the loop, not for each event.
  private(set) var now: Int64
  var connections = TLSConnections()
  /// The last processed stream of each server that is going away, until all transfers were informed.
  var goaways: [(connection: CurlConnection, lastStream: Int64)] = []
  /// The number of responses that have arrived.
  private(set) var responseCount = 0
  /// A lower bound of all deadlines. If it is too low, the loop checks every transfer once for nothing.
  private(set) var nextDeadline = Int64.max

  private var lastAddress: (text: [CChar], isLoopback: Bool) = ([], false)

  init(options: CurlTransport.Options) {
    self.options = options
    now = options.now
  }

  func noteResponse() { responseCount += 1 }

  func readClock() { now = options.now }

  /// Whether an address is this machine. Caches the last one, because most requests go to the same address.
  func isLoopback(_ address: UnsafePointer<CChar>) -> Bool {
    if !lastAddress.text.isEmpty, strcmp(address, lastAddress.text) == 0 { return lastAddress.isLoopback }
    let isLoopback = NetworkHost.isLoopback(String(cString: address))
    lastAddress = (Array(UnsafeBufferPointer(start: address, count: strlen(address) + 1)), isLoopback)
    return isLoopback
  }

  /// Forgets the connections and deadlines of an engine that has ended.
  func reset() { (connections, goaways, nextDeadline) = (TLSConnections(), [], .max) }

  /// Schedules a check of all transfers at this time, unless an earlier one is scheduled.
  func scheduleCheck(at time: Int64) { nextDeadline = min(nextDeadline, time) }

  /// Returns whether it is time to check the transfers; each check schedules the next one.
  func takeDeadline() -> Bool {
    guard now >= nextDeadline else { return false }
    nextDeadline = .max
    return true
  }
}

/// A TLS connection, as libcurl identifies it.
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

/// Tracks which TLS connections use HTTP/2.
///
/// An HTTP/2 server that closes a connection reports which requests it has not processed (GOAWAY, REFUSED_STREAM);
/// nginx does so every 1,000 requests. libcurl sends those again, which is safe, but does not report why. HTTP/1.1 has
/// no equivalent.
struct TLSConnections {
  private static let limit = 4096
  private var isHTTP2: [CurlConnection: Bool] = [:]
  private var hasForgotten = false

  /// Whether the connection that libcurl just gave up on, to try another, uses HTTP/2.
  ///
  /// If it has had no response yet, it must be HTTP/2: on HTTP/1.1, libcurl never retries the first request of a
  /// connection.
  func usesHTTP2(_ connection: CurlConnection) -> Bool { isHTTP2[connection] ?? !hasForgotten }

  /// Records the protocol of a response's head.
  mutating func note(_ connection: CurlConnection?, isHTTP2 newValue: Bool) {
    guard let connection, isHTTP2[connection] != newValue else { return }
    if isHTTP2.count >= Self.limit {
      isHTTP2 = [:]
      hasForgotten = true
    }
    isHTTP2[connection] = newValue
  }
}
