/// What fails: the rows of the table in docs/fleet.md.
enum FleetFailure: String, CaseIterable, Sendable {
  case partition, frozenStore, storeDown, restarted, dataLost, failedOver, fullMemory, fullDisk
  case killedMachine, stoppedMachine, wrongClocks, gatewayDown

  /// The row's name.
  var summary: String {
    switch self {
    case .partition: "**partition**: packets to the store and from it are lost"
    case .frozenStore: "**store stopped**: all processes of the store have got SIGSTOP"
    case .storeDown: "**store down**: it refuses connections"
    case .restarted: "**store restarted** with its data"
    case .dataLost: "**data lost**: `FLUSHALL`, or Redis restarted without data"
    case .failedOver:
      "**failover** of Redis to a replica that lacks the last writes; the old master returns as its replica"
    case .fullMemory: "**full memory** of Redis (`maxmemory`, `noeviction`)"
    case .fullDisk: "**full disk** of PostgreSQL"
    case .killedMachine: "**machine killed** while it holds a lease or a lock"
    case .stoppedMachine: "**machine stopped** past its lease or lock (SIGSTOP), then continued"
    case .wrongClocks: "**clocks** of machines differ by minutes"
    case .gatewayDown: "**gateway** cannot be reached"
    }
  }
}

/// What machines share: the columns of the table.
enum FleetPart: String, CaseIterable, Sendable { case sessions, limits, cache, outbox }

enum FleetEngine: String, CaseIterable, Sendable { case redis, postgresql }
