import NovaAuth
import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaRedis

/// Machines that share a session.
enum Refreshes {
  /// Signs a user in.
  static func signIn(_ arguments: [String]) async throws {
    guard arguments.count == 3 else { throw Usage() }
    let sessions = try sessions(Store(arguments[0], StoreCount()), client(of: arguments[1]))
    _ = try await sessions.sessions(of: arguments[2]).signIn(email: "\(arguments[2])@x.example", password: "password")
  }

  /// Reads a moment of CLOCK_MONOTONIC in ns, asks for a token at that moment, and prints how long that took in µs, how
  /// late it began, how many operations of the store it took, and how much CPU time of this process in µs.
  static func ask(_ arguments: [String]) async throws {
    guard (3...4).contains(arguments.count) else { throw Usage() }
    let count = StoreCount()
    let store = try Store(arguments[0], count)
    let sessions = try sessions(store, client(of: arguments[1]))
    // As if this process waited for another user, too.
    let listener = arguments.count == 4 ? Task { await store.listen() } : nil
    defer { listener?.cancel() }
    let manager = try sessions.sessions(of: arguments[2])
    // A service has done all of this before. While hundreds of processes start, connecting can take too long.
    while await !isWarm(sessions) { try await Task.sleep(for: .seconds(1)) }
    report("ready")
    guard let line = readLine(), let start = Int(line) else { throw Usage() }
    try await Task.sleep(for: .nanoseconds(max(0, start - monotonicTime())))
    let (began, earlier, spent) = (monotonicTime(), count.value, processorTime())
    _ = try await manager.accessToken()
    let time = monotonicTime() - began
    print(time / 1000, (began - start) / 1000, count.value - earlier, (processorTime() - spent) / 1000)
  }

  /// Signs another user in.
  private static func isWarm(_ sessions: FleetSessions) async -> Bool {
    do {
      let manager = try sessions.sessions(of: "warm \(UInt64.random(in: 0...UInt64.max))")
      _ = try await manager.signIn(email: "warm@x.example", password: "password")
      return true
    } catch { return false }
  }

  /// A store whose operations are counted.
  enum Store {
    case redis(CountingRedis)
    case postgreSQL(CountingPostgreSQL)

    init(_ url: String, _ count: StoreCount) throws {
      if url.hasPrefix("redis") {
        self = .redis(CountingRedis(pool: try RedisPool(url: url), count: count))
      } else {
        let pool = try PostgreSQLPool(url, options: PostgreSQLPoolOptions(maximumConnections: 2))
        self = .postgreSQL(CountingPostgreSQL(pool: pool, count: count))
      }
    }

    /// Receives messages until the task is cancelled.
    func listen() async {
      switch self {
      case .redis(let client): do { for try await _ in client.messages(on: "nova:others") {} } catch {}
      case .postgreSQL(let client): do { for try await _ in client.notifications(on: "others") {} } catch {}
      }
    }
  }

  /// Sessions on a store.
  static func sessions(_ store: Store, _ client: APIClient) throws -> FleetSessions {
    let key = String(repeating: "07", count: 32)
    let keys = try FleetKeys(names: key, sealing: [("1", key)])
    let auth = AuthService(client: client)
    return switch store {
    case .redis(let client): FleetSessions(redis: client, keys: keys, auth: auth)
    case .postgreSQL(let client): FleetSessions(postgreSQL: client, keys: keys, auth: auth)
    }
  }

  /// A client of a gateway.
  private static func client(of gateway: String) throws -> APIClient {
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: gateway))
    return APIClient(configuration: configuration, transport: configuration.makeTransport())
  }
}
