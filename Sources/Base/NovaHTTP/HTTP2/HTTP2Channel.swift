#if GRPC
  import NovaSupport

  /// The way to a server, which may have several addresses: distributes calls over them, makes connections, and keeps
  /// the calls that wait for one.
  final class HTTP2Channel: @unchecked Sendable {
    // Sendable, because everything that changes is touched only under the engine's lock.
    let origin: HTTPOrigin
    unowned let core: HTTP2Core
    /// The calls that have their turn, but no connection with room.
    let waiting = HTTP2CallList()
    private var addresses: HTTP2Addresses
    private var endpoints: [HTTP2Endpoint] = []
    private var nextIndex = 0
    /// How many responses have ended.
    var responseCount = 0
    /// When to try another address, if no attempt has succeeded until then.
    private var nextAttempt = Int64.max

    init(to origin: HTTPOrigin, core: HTTP2Core) {
      self.origin = origin
      self.core = core
      addresses = HTTP2Addresses(of: origin, core.options)
    }

    /// Whether there is a connection, even if it has no room.
    var isConnected: Bool { endpoints.contains { $0.connection?.isReady ?? false } }

    /// The maximum number of streams of the connections; nil before the first connection.
    var streamLimit: Int? {
      isConnected ? endpoints.reduce(0) { $0 + ($1.connection?.room.limit ?? 0) } : nil
    }

    /// Starts a call, or makes it wait.
    func submit(_ call: HTTP2Call) {
      if endpoints.isEmpty { findAddresses() }
      if waiting.first == nil, let connection = pick(for: call) { return connection.start(call) }
      call.waitingSince = core.now
      waiting.append(call)
      core.schedule(at: call.nextDeadline)
      failHopeless()
    }

    /// Starts the waiting calls for which there is room.
    func dispatch() {
      guard core.phase == .running, waiting.first != nil else { return }
      while let call = waiting.first, let connection = pick(for: call) {
        waiting.remove(call)
        connection.start(call)
      }
      failHopeless()
    }

    func removeAll() { endpoints = [] }
  }

  // Addresses.
  extension HTTP2Channel {
    /// Looks the server's names up, unless that was done a moment ago.
    func findAddresses() {
      let names = addresses.namesToLookUp(at: core.now)
      guard names.isEmpty else {
        return core.effects.lookups.append(HTTP2Lookup(for: self, names: names, resolver: core.options.resolver))
      }
      if endpoints.isEmpty, !addresses.isLookingUp { useAddresses() }
    }

    func lookupEnded(_ found: [String: [String]]) {
      addresses.record(found, at: core.now)
      useAddresses()
      dispatch()
    }

    /// Keeps the endpoints whose address is still used, and lets the calls on others end.
    private func useAddresses() {
      let old = endpoints
      endpoints = addresses.all.map { (server, address) in
        old.first { $0.server == server && $0.address == address }
          ?? HTTP2Endpoint(server, address: address, channel: self, pingInterval: core.options.pingInterval)
      }
      for endpoint in old where !endpoints.contains(where: { $0 === endpoint }) { endpoint.connection?.retire() }
    }
  }

  // Attempts to connect.
  extension HTTP2Channel {
    func dialEnded(_ endpoint: HTTP2Endpoint, _ result: Result<HTTP2DialedSocket, TransportError>) {
      switch result {
      case .failure(let error): endpoint.hasFailed(error)
      case .success(let dialed) where !endpoints.contains(where: { $0 === endpoint }):
        // A lookup no longer finds the address.
        core.effects.released.append(dialed.socket)
      case .success(let dialed):
        guard let connection = HTTP2Connection(dialed, to: endpoint, core: core) else {
          endpoint.hasFailed(.unavailable("nghttp2 could not create a session"))
          break
        }
        endpoint.hasOpened(connection)
        dialed.firstBytes.withUnsafeBufferPointer { connection.receive($0) }
      }
      dispatch()
    }

    private static let attemptInterval: Int64 = 300_000_000

    private func dial(_ endpoint: HTTP2Endpoint, for call: HTTP2Call) {
      endpoint.dial(timeout: call.request.limits.connectTimeout)
      nextAttempt = core.now.addingClamped(Self.attemptInterval)
      if endpoints.count > 1 { core.schedule(at: nextAttempt) }
    }

    /// Starts calls for which there is room by now, or tries another address, if the one that is being tried takes long.
    func check() {
      if isConnected { return dispatch() }
      guard let call = waiting.first, endpoints.count > 1, nextAttempt < .max else { return }
      guard core.now >= nextAttempt else { return core.schedule(at: nextAttempt) }
      nextAttempt = .max
      if let endpoint = endpoints.first(where: { $0.isIdle(at: core.now) }) { dial(endpoint, for: call) }
    }

    /// Fails the calls for which every address has failed, unless an address is tried for them.
    private func failHopeless() {
      if addresses.isLookingUp, endpoints.isEmpty { return }
      while let call = waiting.first, !endpoints.contains(where: \.isPending) {
        // All addresses have failed lately. Each is tried once more for the call, the one that rested longest first.
        let untried = endpoints.filter { $0.lastFailure < call.waitingSince }
        if let endpoint = untried.min(by: { $0.notBefore < $1.notBefore }) { return dial(endpoint, for: call) }
        let last = endpoints.max { $0.lastFailure < $1.lastFailure }
        core.finishClosed(call, throwing: last?.lastError ?? .unavailable("\(origin.place) has no address"))
      }
    }
  }

  // The choice of a connection.
  extension HTTP2Channel {
    /// A connection with room, or nil. Makes sure that connections are made to the addresses that are used.
    private func pick(for call: HTTP2Call) -> HTTP2Connection? {
      let isInTurn = core.options.balancing == .roundRobin
      var chosen: HTTP2Connection?
      var idle: HTTP2Endpoint?
      for offset in 0..<endpoints.count where chosen == nil {
        let index = isInTurn ? (nextIndex + offset) % endpoints.count : offset
        let endpoint = endpoints[index]
        if let connection = endpoint.connection, connection.takesCall() {
          chosen = connection
          nextIndex = index + 1
        } else if idle == nil, endpoint.isIdle(at: core.now) {
          idle = endpoint
        }
      }
      // In turn, an address whose turn it would have been is connected for the next calls.
      if let idle, isInTurn || !endpoints.contains(where: \.isPending) { dial(idle, for: call) }
      return chosen
    }
  }
#endif
