internal import NovaLibc

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif
// The methods below have the same names.
private let systemAccept = NovaLibc.accept
private let systemConnect = NovaLibc.connect
private let systemListen = NovaLibc.listen

/// A socket, usually a TCP socket on 127.0.0.1, that is closed when it is released.
package final class RawSocket: Sendable {
  package let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// A socket whose port refuses connections until something listens there. The system gives the port to no program that
  /// asks for any free port.
  ///
  /// - Parameters:
  ///   - port: Default: one the system chooses.
  ///   - sharesPort: whether others can have the same port, if they name it and share it too, with SO_REUSEADDR (not on
  ///     macOS) or SO_REUSEPORT. One of them can listen.
  package static func bound(to port: Int = 0, sharesPort: Bool = false) throws -> RawSocket {
    let socket = try make()
    var on: Int32 = 1
    if sharesPort {
      for option in [SO_REUSEADDR, SO_REUSEPORT] {
        try check(
          setsockopt(socket.descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size)), "setsockopt")
      }
    }
    var address = loopback(port: port)
    try check(withAddress(&address) { bind(socket.descriptor, $0, $1) }, "bind")
    return socket
  }

  package func listen(backlog: Int) throws { try Self.check(systemListen(descriptor, Int32(backlog)), "listen") }

  /// Connects, or begins to: a server whose backlog is full never lets it finish.
  package static func connecting(to port: Int) throws -> RawSocket {
    let socket = try make()
    _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
    _ = socket.connect(to: port)
    return socket
  }

  /// Connects, and returns the status of the system call.
  package func connect(to port: Int) -> Int32 {
    var address = Self.loopback(port: port)
    return Self.withAddress(&address) { systemConnect(descriptor, $0, $1) }
  }

  /// The port of its own end.
  package func localPort() throws -> Int {
    var address = Self.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    try Self.check(status, "getsockname")
    return Int(UInt16(bigEndian: address.sin_port))
  }

  package func accept() -> RawSocket? {
    let accepted = systemAccept(descriptor, nil, nil)
    return accepted < 0 ? nil : RawSocket(accepted)
  }

  /// Reads available bytes; empty at the end, or if the connection is broken.
  package func read() -> [UInt8] { (try? receive()) ?? [] }

  /// Reads available bytes; empty at the end. Throws if the connection is broken.
  package func receive() throws -> [UInt8] {
    var status = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      status = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      count = max(0, status)
    }
    try Self.check(Int32(clamping: status), "recv")
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, flags) }
      guard count > 0 else { throw RawServerError("cannot write: the client disconnected") }
      sent += count
    }
  }

  /// Waits at most `pause` until the other end has sent something or closed.
  package func isReadable(within pause: Duration) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let (seconds, attoseconds) = pause.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return poll(&watched, 1, Int32(milliseconds)) > 0
  }

  /// Waits until the other end has closed, or this one is cut, whatever there is to read.
  func waitForEnd() {
    #if os(Linux)
      let events = Int16(0x2000)  // POLLRDHUP, which Swift does not see
    #else
      let events: Int16 = 0
    #endif
    var watched = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&watched, 1, -1)
  }

  /// Ends both directions, and every call that waits on the socket. The descriptor stays open until deinit.
  package func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends this direction only.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the close a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
  }
}

extension RawSocket {
  package static func make() throws -> RawSocket {
    let descriptor = socket(AF_INET, streamType, 0)
    try check(descriptor, "socket")
    return RawSocket(descriptor)
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    return address
  }

  private static func withAddress(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  package static func check(_ status: Int32, _ what: String) throws {
    if status < 0 { throw RawServerError("\(what) failed with errno \(errno)") }
  }
}
