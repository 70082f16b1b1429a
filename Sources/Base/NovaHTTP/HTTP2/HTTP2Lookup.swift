#if GRPC
  internal import CNovaCurl
  internal import NovaLibc
  import NovaSupport

  /// Looks up the addresses of a name.
  package final class HTTP2Resolver: Sendable, Hashable {
    private let addresses: @Sendable (String) -> [String]

    /// The system's.
    package static let system = HTTP2Resolver(systemAddresses)

    /// - Parameter addresses: returns all addresses of a name, in order of preference. It may block.
    package init(_ addresses: @escaping @Sendable (String) -> [String]) { self.addresses = addresses }

    func callAsFunction(_ name: String) -> [String] { addresses(name) }

    package static func == (one: HTTP2Resolver, other: HTTP2Resolver) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    private static func systemAddresses(_ name: String) -> [String] {
      var hints = addrinfo()
      hints.ai_family = AF_UNSPEC
      #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      #else
        hints.ai_socktype = SOCK_STREAM
      #endif
      hints.ai_flags = AI_ADDRCONFIG
      var first: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(name, nil, &hints, &first) == 0, let first else { return [] }
      defer { freeaddrinfo(first) }
      return sequence(first: first, next: { $0.pointee.ai_next }).compactMap { entry in
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let info = entry.pointee
        guard getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return info.ai_family == AF_INET6 ? "[\(address)]" : address
      }
    }
  }

  /// One lookup of all names of a server. A thread makes it, because the system's lookup blocks; calls do not wait for it
  /// longer than for a connection.
  final class HTTP2Lookup: Sendable {
    private let channel: HTTP2Channel
    private let names: [String]
    private let resolver: HTTP2Resolver

    init(for channel: HTTP2Channel, names: [String], resolver: HTTP2Resolver) {
      (self.channel, self.names, self.resolver) = (channel, names, resolver)
    }

    func start(on engine: HTTP2Engine) {
      let box = HTTP2Thread { [self] in
        var addresses: [String: [String]] = [:]
        for name in names { addresses[name] = resolver(name) }
        end(addresses, on: engine)
      }
      // Without a thread, libcurl looks the names up.
      if box.start() != 0 { end([:], on: engine) }
    }

    private func end(_ addresses: [String: [String]], on engine: HTTP2Engine) {
      engine.locked { core in
        core.readClock()
        if core.phase == .running { channel.lookupEnded(addresses) }
      }
    }
  }

  /// A thread for something that blocks.
  final class HTTP2Thread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Returns 0, or an errno.
    func start() -> Int32 {
      let box = Unmanaged.passRetained(self)
      let status = nova_thread_start(
        { Unmanaged<HTTP2Thread>.fromOpaque($0).takeRetainedValue().body() }, box.toOpaque())
      if status != 0 { box.release() }
      return status
    }
  }

  extension CurlTransport.Options {
    /// Whether a server's own addresses are used, and its name may have several: no proxy, no other server, and no
    /// Unix socket takes its place, and it is not this machine.
    func usesAddresses(of server: HTTPOrigin) -> Bool {
      guard !server.isLoopback, NetworkAddress(server.host) == nil, !connectTo.contains(where: { $0.covers(server) })
      else { return false }
      switch route(to: server) {
      case .direct: return true
      case .environment: return !nova_curl_environment_has_proxy()
      case .proxy, .socket: return false
      }
    }
  }
#endif
