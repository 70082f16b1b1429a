import NovaAuth
import NovaCore
import NovaFleet
import NovaPostgreSQL

/// Replicas of an outbox.
enum Outboxes {
  /// Delivers until the input is closed; then prints how many writes this replica has delivered.
  static func deliver(_ arguments: [String]) async throws {
    guard arguments.count == 4, let subjects = Int(arguments[3]) else { throw Usage() }
    let outbox = try FleetOutbox(try PostgreSQLPool(arguments[0]))
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: arguments[1]))
    var options = FleetOutboxOptions(owner: arguments[2])
    options.maximumSubjects = subjects
    let client = APIClient(configuration: configuration, transport: configuration.makeTransport())
    let replica = FleetOutboxReplica(outbox, client: client, options: options) { identity in
      try AccessToken("token-of-\(identity.user ?? "nobody")")
    }
    let task = Task { await replica.run() }
    try await endOfInput()
    task.cancel()
    await task.value
    print("{\"delivered\": \(replica.delivered)}")
    await client.shutdown()
  }
}
