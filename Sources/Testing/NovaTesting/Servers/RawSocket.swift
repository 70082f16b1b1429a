internal import NovaLibc

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif
// The methods below have the same names.
private let systemAccept = NovaLibc.accept
private let systemListen = NovaLibc.listen

/// A TCP socket on 127.0.0.1, or a Unix socket, closed when the last reference goes.
package final class RawSocket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// A socket that listens on a port the system chose.
  package static func listening(backlog: Int) throws -> RawSocket {
    let socket = try bound()
    try socket.listen(backlog: backlog)
    return socket
  }

  /// A Unix socket that listens at a path. The file remains when the socket is closed.
  package static func listening(atPath path: String) throws -> RawSocket {
    let descriptor = socket(AF_UNIX, streamType, 0)
    try check(descriptor, "socket")
    let socket = RawSocket(descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw RawServerError("the path of the Unix socket is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check(status, "bind")
    try socket.listen(backlog: 1024)
    return socket
  }

  /// A socket whose port refuses connections until something listens there, and is given to nobody who takes any free
  /// port.
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
    var address = loopback(port: port)
    _ = withAddress(&address) { connect(socket.descriptor, $0, $1) }
    return socket
  }

  /// Whether something accepts connections there.
  package static func accepts(port: Int) -> Bool { (try? connected(to: port)) != nil }

  /// Connects and waits until that has succeeded.
  ///
  /// - Parameter bufferSize: how many bytes the system takes in each direction; nil for its choice.
  package static func connected(to port: Int, bufferSize: Int? = nil) throws -> RawSocket {
    let socket = try make()
    if var size = bufferSize.map({ Int32(clamping: $0) }) {
      for option in [SO_SNDBUF, SO_RCVBUF] {
        setsockopt(socket.descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
      }
    }
    var address = loopback(port: port)
    try check(withAddress(&address) { connect(socket.descriptor, $0, $1) }, "connect")
    return socket
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

  func accept() -> RawSocket? {
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

  /// Writes as many of the bytes as the system takes at once, and returns how many that were.
  package func offer(_ bytes: ArraySlice<UInt8>) -> Int {
    #if canImport(Darwin)
      let flags = Int32(MSG_DONTWAIT)
    #else
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
    return max(0, bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) })
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

  /// Shuts down the write direction.
  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions and every call that waits on it; the descriptor stays ours until deinit.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Makes the close a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
  }
}

extension RawSocket {
  private static func make() throws -> RawSocket {
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

  private static func check(_ status: Int32, _ what: String) throws {
    if status < 0 { throw RawServerError("\(what) failed with errno \(errno)") }
  }
}
