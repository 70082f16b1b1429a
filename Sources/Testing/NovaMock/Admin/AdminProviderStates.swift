import NovaCore

/// Provider states of Pact in the admin API: what must be true before an interaction is verified.
///
/// A verifier sends each state of an interaction before the interaction itself, and fills the members of the response into
/// its request. A state is a snapshot by its name, or has parameters that describe it.
struct AdminProviderStates {
  /// The name of the snapshot with the requests that were made last, so that a longer list continues from there.
  static let snapshotName = "provider state"
  private static let maximumRequests = 10_000
  private static let members = ["reset", "now", "requests", "advance_seconds", "faults", "stubs"]

  let backend: MockBackend

  /// Sets up the state that a verifier names, or ends it.
  func change(_ body: AdminBody) async throws -> HTTPResponse {
    let name = body["state"] == nil ? "" : try body.text("state", expected: "the name of a state")
    let params = try AdminBody(body["params"] ?? .object([]), named: "params")
    switch body["action"]?.stringValue ?? "setup" {
    case "setup": return .json(try await setUp(name, params))
    case "teardown":
      _ = try await AdminState(backend: backend).reset()
      return .json([:])
    default: throw MockFailure.invalid("action must be setup or teardown")
    }
  }

  /// Sets up a state, and returns the values that its requests keep.
  private func setUp(_ name: String, _ params: AdminBody) async throws -> JSONValue {
    let isSnapshot = backend.withEngine { $0.snapshots.contains { $0.name == name } }
    guard isSnapshot || name.isEmpty || !params.isEmpty else { throw unknown(name) }
    // Everything is read first, so that an invalid state changes nothing.
    let plan = try isSnapshot ? nil : Plan(params)
    if isSnapshot { try await restore(name) }
    guard let plan else { return [:] }
    var kept = try await start(plan)
    for (index, request) in plan.requests.enumerated().dropFirst(kept.requests.count) {
      let response = try await backend.respondUnseen(to: try request.filledIn(kept.values))
      do throws(MockFailure) {
        try kept.add(request, response)
      } catch {
        throw MockFailure(.failedPrecondition, "requests[\(index)]: \(error.message)")
      }
    }
    if plan.resets { try await keep(kept) }
    if plan.advance > 0 { _ = try await backend.changeClock([.move(Int64(plan.advance))]) }
    if let faults = plan.faults { backend.faults = faults }
    for stub in plan.stubs { backend.add(stub) }
    return .object(kept.values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
  }

  private func unknown(_ name: String) -> MockFailure {
    .invalid(
      "unknown provider state \(name.quoted): there is no snapshot with this name, and it has no params; store one with "
        + "POST /_nova/snapshot, or give params: \(Self.members.joined(separator: ", "))")
  }

  private func restore(_ name: String) async throws {
    try await backend.apply(.restore(name: name))
    backend.clearFaults()
    backend.removeStubs()
  }

  // MARK: Requests that were made before

  /// Returns to the start of a state: with the requests of the state before, if the new ones begin with them.
  private func start(_ plan: Plan) async throws -> KeptValues {
    if plan.resets, let before = continued(by: plan) {
      try await restore(Self.snapshotName)
      return before
    }
    if plan.resets { _ = try await AdminState(backend: backend).reset() }
    // Requests store the time at which they are made.
    if let now = plan.now { _ = try await backend.changeClock([.set(now), .freeze]) }
    return KeptValues(now: plan.now)
  }

  /// The state before, if its snapshot is there, and a new state begins as it did; nil if not.
  private func continued(by plan: Plan) -> KeptValues? {
    let before = backend.providerState.withLock { $0 }
    let isKept = backend.withEngine { $0.snapshots.contains { $0.name == Self.snapshotName } }
    let isPart = before.now == plan.now && !before.requests.isEmpty && plan.requests.starts(with: before.requests)
    return isKept && isPart ? before : nil
  }

  private func keep(_ values: KeptValues) async throws {
    guard !values.requests.isEmpty else { return }
    let isKept = backend.providerState.withLock { $0.requests == values.requests && $0.now == values.now }
    if isKept { return }
    try await backend.apply(.snapshot(name: Self.snapshotName))
    backend.providerState.withLock { $0 = values }
  }

  // MARK: Parameters

  /// The parameters of a state.
  private struct Plan {
    /// Whether the state begins with the initial data, rather than with what is there.
    let resets: Bool
    /// The time at which the clock is frozen, in Unix seconds; nil leaves the clock unchanged.
    let now: Int64?
    let requests: [ProviderStateRequest]
    let advance: Int
    let faults: Faults?
    let stubs: [MockStub]

    init(_ params: AdminBody) throws {
      try params.allowOnly(AdminProviderStates.members)
      resets = params["reset"] == nil ? true : try params.flag("reset")
      now = params["now"] == nil ? nil : try params.clockTime("now")
      requests = try params.objects("requests", atMost: AdminProviderStates.maximumRequests).map {
        try ProviderStateRequest($0)
      }
      advance = try params.optionalInteger("advance_seconds", 0...Int(MockClock.times.upperBound)) ?? 0
      stubs = try params.objects("stubs", atMost: MockStub.maximumCount).map { try MockStub($0) }
      guard stubs.reduce(0, { $0 + $1.size }) <= MockStub.maximumBytes else {
        throw MockFailure(.resourceExhausted, "all stubs would exceed \(MockStub.maximumBytes >> 20) MiB")
      }
      guard let rules = try params.texts("faults") else {
        faults = nil
        return
      }
      do throws(FaultRuleError) { faults = try Faults(rules) } catch { throw MockFailure.invalid("faults: \(error)") }
    }
  }
}
