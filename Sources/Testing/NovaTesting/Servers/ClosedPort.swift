/// A loopback port that refuses connections and stays reserved for the lifetime of this value: keep it with
/// `withExtendedLifetime`, or something else may listen there.
///
/// A server that you start at this port can listen there, if it sets SO_REUSEADDR as servers do (on macOS
/// SO_REUSEPORT); after its end the port refuses connections again, and a next one can be started:
///
/// ```swift
/// let place = try ClosedPort()
/// // nova serve --port <place.port>
/// ```
public struct ClosedPort: Sendable {
  private let socket: RawSocket
  /// The port on 127.0.0.1.
  public let port: Int

  /// Reserves a port.
  public init() throws {
    socket = try RawSocket.bound(sharesPort: true)
    port = try socket.localPort()
  }

  /// The origin, such as `http://127.0.0.1:40001`.
  public var url: String { "http://127.0.0.1:\(port)" }
}
