#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  static func bind(_ descriptor: Int32, _ address: UnsafeRawPointer, _ size: Int) -> Bool {
    let address = address.assumingMemoryBound(to: sockaddr.self)
    #if canImport(Glibc)
      return Glibc.bind(descriptor, address, socklen_t(size)) == 0
    #elseif canImport(Musl)
      return Musl.bind(descriptor, address, socklen_t(size)) == 0
    #else
      return Darwin.bind(descriptor, address, socklen_t(size)) == 0
    #endif
  }

  static func listen(_ descriptor: Int32) -> Bool {
    #if canImport(Glibc)
      return Glibc.listen(descriptor, 1024) == 0
    #elseif canImport(Musl)
      return Musl.listen(descriptor, 1024) == 0
    #else
      return Darwin.listen(descriptor, 1024) == 0
    #endif
  }

  /// The next connection to a listening socket, or nil when that was closed.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
      #elseif canImport(Musl)
        let descriptor = Musl.accept(listener, nil, nil)
      #else
        let descriptor = Darwin.accept(listener, nil, nil)
      #endif
      if descriptor >= 0 { return descriptor }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Too many open files: some will be closed soon.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(50_000)
      default: return nil
      }
    }
  }

  /// Prepares a connection: answers leave at once, and silence ends it.
  static func prepare(_ connection: Int32, silence: Int) {
    var on: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var time = timeval(tv_sec: silence, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
  }

  /// What has come on a connection; nil at its end, after an error, and after too long a silence.
  static func receive(_ descriptor: Int32) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
      count = max(0, count)
    }
    return bytes.isEmpty ? nil : bytes
  }

  static func endReading(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RD)) }
  static func endWriting(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }
  static func endBoth(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
}
