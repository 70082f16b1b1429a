import NovaAuth
import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaRedis

/// Many operations of one kind, for what each costs the store.
enum Loads {
  /// Runs `count` operations with `tasks` at once; prints how long they took in s, with how much CPU time of this
  /// process, and how many commands or statements.
  static func run(_ arguments: [String]) async throws {
    guard arguments.count == 4, let count = Int(arguments[2]), let tasks = Int(arguments[3]) else { throw Usage() }
    let operations = StoreCount()
    let operation = try await operation(arguments[0], on: arguments[1], count: count, operations)
    report("ready")
    _ = readLine()
    let (start, spent, earlier) = (monotonicTime(), processorTime(), operations.value)
    try await each(count, tasks: tasks, operation)
    let (time, cpu) = (monotonicTime() - start, processorTime() - spent)
    let sent = operations.value - earlier
    report("{\"seconds\": \(Double(time) / 1e9), \"cpu\": \(Double(cpu) / 1e9), \"operations\": \(sent)}")
    _ = readLine()
  }

  private typealias Operation = @Sendable (Int) async throws -> Void

  private static func operation(
    _ kind: String, on store: String, count: Int, _ operations: StoreCount
  ) async throws -> Operation {
    switch kind {
    case "lease":
      let limit = try FleetLimit("load", rate: 1_000_000, burst: 1_000_000)
      let store = try Limits.store(store, operations)
      _ = try await store.take(1, of: limit, priority: .normal)
      return { _ in _ = try await store.take(10, of: limit, priority: .normal) }
    case "cached read":
      let redis = CountingRedis(pool: try RedisPool(url: store), count: operations)
      let key = String(repeating: "07", count: 32)
      var options = FleetCache.Options()
      options.maximumNearBytes = 0
      let cache = FleetCache(
        redis, messages: nil, sealing: try FleetKeys(names: key, sealing: [("1", key)]), options: options)
      let bytes = [UInt8](repeating: 65, count: 1000)
      let keys = (0..<1000).map { FleetCacheKey("value \($0)", identity: nil, schema: 1) }
      for key in keys { _ = try await cache.value(for: key, for: .seconds(3600)) { bytes } }
      return { index in _ = try await cache.value(for: keys[index % keys.count], for: .seconds(3600)) { bytes } }
    case "refresh":
      let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: "http://127.0.0.1:9/"))
      let client = APIClient(configuration: configuration, transport: StubGateway())
      let sessions = try Refreshes.sessions(Refreshes.Store(store, operations), client)
      try await each(count, tasks: 16) { index in
        _ = try await sessions.sessions(of: "\(index)").signIn(email: "a@x.example", password: "password")
      }
      // The first tokens live for a second.
      try await Task.sleep(for: .seconds(2))
      return { index in _ = try await sessions.sessions(of: "\(index)").accessToken() }
    default: throw Usage()
    }
  }

  private static func each(_ count: Int, tasks: Int, _ body: @escaping Operation) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<tasks {
        group.addTask { for index in stride(from: task, to: count, by: tasks) { try await body(index) } }
      }
      try await group.waitForAll()
    }
  }
}

/// A gateway in the process that signs in and refreshes.
private struct StubGateway: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let lifetime = request.url.text.hasSuffix("/auth/refresh") ? 3600 : 1
    let number = UInt64.random(in: 0...UInt64.max)
    let body = """
      {"user_id": "ada", "token": "access-\(number)", "refresh_token": "refresh-\(number)", "expires_in": \(lifetime)}
      """
    return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}
