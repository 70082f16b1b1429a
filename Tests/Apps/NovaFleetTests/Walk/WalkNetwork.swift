import NovaCore

#if os(Linux)
  /// How the processes of a walk reach the stores and the gateway: from each machine through its own network.
  struct WalkNetwork: Sendable {
    /// What processes on a machine use.
    struct Place: Sendable {
      /// Nil for this computer.
      var machine: WalkMachine?
      let redis: String
      let postgreSQL: String
      let gateway: String
    }

    let places: [Place]
    private let relays: [WalkRelay]

    /// - Parameters:
    ///   - machines: two; none for processes on this computer.
    ///   - redis: the port on loopback.
    ///   - postgreSQL: the path of the Unix socket.
    ///   - gateway: the port on loopback.
    init(_ machines: [WalkMachine], redis: Int, postgreSQL path: String, gateway: Int) throws {
      // The same everywhere, because sessions belong to it.
      let origin = "http://127.0.0.1:\(gateway)"
      guard !machines.isEmpty else {
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let place = Place(
          redis: "redis://127.0.0.1:\(redis)", postgreSQL: "host=\(folder) user=postgres dbname=postgres",
          gateway: origin)
        (places, relays) = ([place, place], [])
        return
      }
      var (places, relays): ([Place], [WalkRelay]) = ([], [])
      for machine in machines {
        let address = machine.address
        let ends = try [.port(redis, on: "127.0.0.1"), .socket(path), .port(gateway, on: "127.0.0.1")].map {
          try WalkRelay(address, to: $0)
        }
        // Tokens are sent only encrypted, or to the own machine, so the gateway has a sidecar on each one.
        let sidecar = try WalkRelay(
          "127.0.0.1", port: gateway, in: machine.namespace, to: .port(ends[2].port, on: address))
        relays += ends + [sidecar]
        places.append(
          Place(
            machine: machine, redis: "redis://\(address):\(ends[0].port)",
            postgreSQL: "host=\(address) port=\(ends[1].port) user=postgres dbname=postgres", gateway: origin))
      }
      (self.places, self.relays) = (places, relays)
    }

    func stop() { for relay in relays { relay.stop() } }
  }
#endif
