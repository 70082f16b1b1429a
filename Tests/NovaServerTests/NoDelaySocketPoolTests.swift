import FlyingSocks
import Testing

@testable import NovaServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct NoDelaySocketPoolTests {
  private struct StillPool: AsyncSocketPool {
    func prepare() async throws {}
    func run() async throws {}
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {}
  }

  /// Nagle's algorithm would make the body of each response wait 40 ms.
  @Test func everySocketSendsAtOnce() async throws {
    let option = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    #expect(try !socket.getValue(for: option))
    try await NoDelaySocketPool(base: StillPool()).suspendSocket(socket, untilReadyFor: .read)
    #expect(try socket.getValue(for: option))
  }
}
