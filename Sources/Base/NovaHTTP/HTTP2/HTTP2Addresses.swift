#if GRPC
  /// The addresses of a server: those in its URL, and for names with several addresses, those that a lookup found.
  struct HTTP2Addresses {
    private let servers: [HTTPOrigin]
    /// The names whose addresses are looked up; the others are left to libcurl.
    private let names: [String]
    private var found: [String: [String]] = [:]
    private var lastLookup: Int64?
    private(set) var isLookingUp = false

    /// How long addresses are used before another lookup.
    private static let minimumAge: Int64 = 30_000_000_000

    init(of origin: HTTPOrigin, _ options: HTTP2Transport.Options) {
      servers = origin.servers.map(origin.only)
      names = servers.filter(options.connections.usesAddresses).map(\.host)
    }

    /// The names to look up now; from then on, a lookup is under way.
    mutating func namesToLookUp(at now: Int64) -> [String] {
      guard !names.isEmpty, !isLookingUp, lastLookup.map({ now >= $0.addingClamped(Self.minimumAge) }) ?? true else {
        return []
      }
      isLookingUp = true
      return names
    }

    mutating func record(_ addresses: [String: [String]], at now: Int64) {
      isLookingUp = false
      lastLookup = now
      // If a lookup fails, the addresses found before are better than none.
      for (name, addresses) in addresses where !addresses.isEmpty { found[name] = addresses }
    }

    /// What to connect to: servers, each with an address, or nil if libcurl finds it.
    var all: [(server: HTTPOrigin, address: String?)] {
      servers.flatMap { server -> [(HTTPOrigin, String?)] in
        let addresses = found[server.host] ?? []
        // libcurl tries IPv6 and IPv4 side by side, so that one of each needs no distribution.
        let count6 = addresses.count { $0.hasPrefix("[") }
        guard max(count6, addresses.count - count6) > 1 else { return [(server, nil)] }
        return addresses.map { (server, $0) }
      }
    }
  }
#endif
