#if Server
  import NovaCore

  /// `grpc.health.v1.Health`: whether the server and each of its services take calls.
  struct HealthService: Sendable {
    enum Method: String, CaseIterable, Sendable {
      case check = "Check"
      case watch = "Watch"
      case list = "List"
    }

    static let name = "grpc.health.v1.Health"

    private enum Status: UInt64 { case serving = 1, notServing = 2, unknown = 3 }

    let state: HealthState

    /// Responds to a request.
    ///
    /// - Parameter frame: writes the prefix of a message.
    func reply(
      to method: Method, _ request: [UInt8], frame: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) throws(GRPCFailure) -> GRPCReply {
      guard let service = WireMessage(request)?.validText(1) else {
        throw .invalid("invalid request: it is not a HealthCheckRequest")
      }
      let isKnown = service.isEmpty || GRPCMethod.services.contains(service)
      switch method {
      case .check:
        guard isKnown else { throw GRPCFailure(.notFound, "unknown service \(service.printable(to: 100))") }
        return GRPCReply(body: .bytes(frame(Self.response(state.isServing ? .serving : .notServing))))
      case .list: return GRPCReply(body: .bytes(frame(list)))
      case .watch:
        let updates = state.updates.map { isServing in
          frame(Self.response(!isKnown ? .unknown : isServing ? .serving : .notServing))
        }
        let end = GRPCFailure(.unavailable, "the server is stopping")
        return GRPCReply(body: .stream(HTTPBodyStream(updates)), failure: { end })
      }
    }

    private var list: [UInt8] {
      let status = state.isServing ? Status.serving : .notServing
      var writer = WireOutput()
      for service in [""] + GRPCMethod.services {
        var (entry, response) = (WireOutput(), WireOutput())
        response.integer(1, status.rawValue)
        entry.text(1, service)
        entry.message(2, response)
        writer.message(1, entry)
      }
      return Self.room + writer.bytes
    }

    private static func response(_ status: Status) -> [UInt8] {
      var writer = WireOutput()
      writer.integer(1, status.rawValue)
      return room + writer.bytes
    }

    /// For the prefix.
    private static let room = [UInt8](repeating: 0, count: GRPCDeframer.prefixSize)
  }

  /// Whether a server takes calls, and who watches that.
  final class HealthState: Sendable {
    private struct Watched {
      var isServing = true
      var last = 0
      var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
    }

    private let watched = Locked(Watched())

    var isServing: Bool { watched.withLock { $0.isServing } }

    /// The current state, and each later one, until the server stops.
    var updates: AsyncStream<Bool> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let id = watched.withLock { watched in
          watched.last += 1
          watched.watchers[watched.last] = continuation
          continuation.yield(watched.isServing)
          if !watched.isServing { continuation.finish() }
          return watched.last
        }
        continuation.onTermination = { [watched] _ in _ = watched.withLock { $0.watchers.removeValue(forKey: id) } }
      }
    }

    /// The server takes no more calls. Streams of updates end.
    func stop() {
      let watchers = watched.withLock { watched in
        watched.isServing = false
        return Array(watched.watchers.values)
      }
      for watcher in watchers {
        watcher.yield(false)
        watcher.finish()
      }
    }
  }
#endif
