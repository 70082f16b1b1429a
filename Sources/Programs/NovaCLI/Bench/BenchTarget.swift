import NovaSDK

/// The gateway that gets the load.
struct BenchTarget {
  let configuration: APIConfiguration
  let rpc: RPCDescriptor

  var name: String { configuration.usesMockData ? configuration.place : configuration.baseURL(for: rpc.service).text }

  /// Whether the load stays on this machine. A named environment may be at the other end of a tunnel, even if its address
  /// is on this machine.
  var isLocal: Bool {
    configuration.usesMockData
      || configuration.baseURL(for: rpc.service).origin.isLoopback
        && !ContractTarget(configuration).isNamedEnvironment
  }

  /// Asks before a load that reaches other machines, or changes something.
  ///
  /// - Throws: ``Failure`` without consent.
  func obtainConsent(_ plan: BenchPlan, _ options: ConfirmationOptions) throws {
    let writes = rpc.effect != .noSideEffects
    guard !isLocal || writes && !configuration.usesMockData else { return }
    let count = CountText.phrase(plan.schedule.total, one: "request", many: "requests")
    let effect = writes ? ", each of which changes data," : ""
    let isNamed = ContractTarget(configuration).isNamedEnvironment
    let place = isNamed ? "\(name) (environment \(configuration.environment.rawValue))" : name
    try options.confirmation(to: "send \(count) of \(rpc.id)\(effect) to \(place)").obtain()
  }

  /// A client that makes one attempt for each call, with the user's token or session.
  func client() async throws -> NovaClient {
    // Retries and a circuit breaker would hide failures, and change the rate.
    try await NovaClient.ofUser(configuration) { $0.resilience = .none }
  }
}
