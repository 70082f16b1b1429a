#if Server
  import NIOCore

  import NovaLibc

  /// The addresses to listen on for a host. A client takes any of the addresses of `localhost`.
  struct LoopbackName {
    /// How often another free port is tried: it must be free at each address.
    private static let attempts = 20

    private let addresses: [String]

    /// - Parameter host: an address, or a name.
    init(_ host: String) {
      let name = host.lowercased()
      let isLocal = name == "localhost" || name.hasSuffix(".localhost")
      addresses = isLocal ? ["127.0.0.1", "::1"] : [host]
    }

    /// Listens on the same port of each address that this machine has.
    ///
    /// - Parameter bind: listens on an address and a port.
    func listen(
      on port: UInt16, bind: (_ address: String, _ port: UInt16) async throws -> any Channel
    ) async throws -> [any Channel] {
      for attempt in 1... {
        var listeners: [any Channel] = []
        do {
          for (index, address) in addresses.enumerated() {
            let chosen = listeners.first?.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? port
            do {
              listeners.append(try await bind(address, chosen))
            } catch let error as IOError where error.isMissingAddress && addresses.count > 1 {
              if index == addresses.count - 1, listeners.isEmpty { throw error }
            }
          }
          return listeners
        } catch {
          for listener in listeners { try? await listener.close() }
          let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
          guard isTaken, port == 0, !listeners.isEmpty, attempt < Self.attempts else { throw error }
        }
      }
      return []
    }
  }

  extension IOError {
    /// Whether the machine has no such address, for example because IPv6 is off.
    fileprivate var isMissingAddress: Bool {
      [EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT].contains(errnoCode)
    }
  }
#endif
