import NovaCore
import NovaRecording
import NovaRegistry

/// A pact that verifies against a backend with the same world.
///
/// Each interaction has one provider state. It names the requests that must be made before, because the recording made them
/// and they changed something; `POST /_nova/provider-state` of `nova serve` makes them, and returns the tokens of their
/// responses, which verifiers put into the request. For the response of an edge case, it has a stub.
struct PactExport {
  private let exchanges: [FixtureExchange]
  private let time: Int64
  private let secrets: RecordedSecrets
  /// The exchanges that changed something, in the order in which they were recorded.
  private let changes: [FixtureExchange]

  /// - Parameters:
  ///   - exchanges: the exchanges to write.
  ///   - prerequisites: others of the same recording, which only states need.
  ///   - time: the time of the exchanges.
  init(_ exchanges: [FixtureExchange], prerequisites: [FixtureExchange], time: Int64) {
    var numbers: Set<Int> = []
    let recorded = (exchanges + prerequisites).filter { exchange in
      if case .recorded(let number) = exchange.origin { numbers.insert(number).inserted } else { false }
    }.sorted { $0.origin.number < $1.origin.number }
    let secrets = RecordedSecrets(recorded)
    self.time = time
    self.secrets = secrets
    changes = recorded.filter(\.isChange)
    var seen: Set<FixtureExchange> = []
    self.exchanges = exchanges.map { $0.withMadeUpSecrets(secrets.madeUp) }.filter { exchange in
      let content = FixtureExchange(rpc: "", name: "", request: exchange.request, response: exchange.response)
      return seen.insert(content).inserted
    }
  }

  /// The pact, as JSON in UTF-8.
  var bytes: [UInt8] {
    let cassette = Cassette(
      createdAt: time,
      interactions: exchanges.map { .init(rpc: $0.rpc, $0.request, $0.response, startedAt: Double(time)) })
    // The states are returned in the order of the interactions.
    var states = exchanges.map(states)[...]
    return cassette.pact(consumer: "NovaSDK", states: { _ in states.popFirst() ?? [] })
  }

  private func states(of exchange: FixtureExchange) -> [PactState] {
    switch exchange.origin {
    case .recorded(let number): [state(of: exchange, number)]
    case .edgeCase: [edgeCase(exchange)]
    case .other: []
    }
  }

  private func state(of exchange: FixtureExchange, _ number: Int) -> PactState {
    let before = changes.prefix { $0.origin.number < number }.prefix(needed(by: exchange))
    // Responses have times, and so have the cursors in requests.
    let now = JSONValue.number(String(time))
    guard !before.isEmpty else { return PactState("the fixture set", params: ["now": now]) }
    return PactState(
      "the fixture set after \(before.count == 1 ? "1 change" : "\(before.count) changes")",
      params: ["now": now, "requests": .array(before.map(request))],
      secrets: Set(before.flatMap { secrets.places(in: $0).map(\.number) }))
  }

  /// The number of changes that an exchange needs: all that were made before, except for a malformed request. That needs
  /// only those with its token.
  private func needed(by exchange: FixtureExchange) -> Int {
    guard exchange.isMalformed else { return changes.count }
    let own = Set(RecordedSecrets.placeholders(in: exchange.request))
    let last = changes.lastIndex { secrets.places(in: $0).contains { own.contains($0.number) } }
    return last.map { $0 + 1 } ?? 0
  }

  /// A request as `POST /_nova/provider-state` reads it.
  private func request(_ exchange: FixtureExchange) -> JSONValue {
    let request = exchange.withMadeUpSecrets(secrets.madeUp).withPlaceholders {
      "${\(PactState.name(ofSecret: $0))}"
    }.request
    let body = request.body.inMemory
    let json = try? JSONValue(jsonUTF8: body)
    let headers = request.headers.filter { !$0.name.equalsIgnoringASCIICase("Accept") }
    let kept = secrets.places(in: exchange).map { secret in
      JSONValue.Member(
        name: PactState.name(ofSecret: secret.number), value: .string(secret.path.map { "/\($0)" }.joined()))
    }
    return [
      "method": .string(request.method.rawValue), "path": .string(exchange.target),
      "headers": headers.isEmpty ? nil : .object(headers.map { .init(name: $0.name, value: .string($0.value)) }),
      "body": json,
      "body_base64": body.isEmpty || json != nil
        ? nil : .string(String(decoding: Base64.encode(body), as: UTF8.self)),
      "keep": kept.isEmpty ? nil : .object(kept),
    ]
  }

  /// No backend returns the response of an edge case by itself.
  private func edgeCase(_ exchange: FixtureExchange) -> PactState {
    let response = exchange.response
    let stub: JSONValue = [
      "rpc": .string(exchange.rpc), "status": .number(response.status),
      "body": try? JSONValue(jsonUTF8: response.body.inMemory), "allow_invalid": true,
    ]
    return PactState("the edge case \(exchange.name)", params: ["stubs": [stub]])
  }
}

extension FixtureExchange {
  /// Whether the request itself is refused, whatever was made before.
  fileprivate var isMalformed: Bool {
    switch response.status {
    case 405, 415: true
    // A failed precondition has this status, too, and depends on what is there.
    case 400:
      (try? JSONValue(jsonUTF8: response.body.inMemory)).flatMap(GRPCStatus.init(describedIn:)) != .failedPrecondition
    default: false
    }
  }

  /// Returns the exchange with values for the secrets that the check made up.
  fileprivate func withMadeUpSecrets(_ values: [Int: String]) -> FixtureExchange {
    withPlaceholders { values[$0] ?? "{{secret:\($0)}}" }
  }
}
