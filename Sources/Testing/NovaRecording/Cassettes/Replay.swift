import NovaCore

/// The course of a replay: which recorded requests were sent, and which secrets the placeholders stand for.
package struct Replay: Sendable {
  /// The recorded requests and their outcomes.
  package let cassette: Cassette
  private let recorded: [CanonicalRequest]
  private var isUsed: [Bool]
  private var secrets = SecretBindings()
  private let repeats: Bool

  /// Starts a replay.
  ///
  /// - Parameter repeats: whether the last of equal requests can be sent again, and secrets can change. Servers need that:
  ///   they outlive their clients. Default: false.
  package init(_ cassette: Cassette, repeats: Bool = false) {
    self.cassette = cassette
    self.repeats = repeats
    recorded = cassette.interactions.map(\.request).map {
      CanonicalRequest(method: $0.method, path: $0.path, query: $0.query, content: $0.content)
    }
    isUsed = Array(repeating: false, count: cassette.interactions.count)
  }

  /// Starts again from the beginning.
  package mutating func restart() {
    isUsed = Array(repeating: false, count: isUsed.count)
    secrets = SecretBindings()
  }

  /// The recorded requests that were not sent.
  var unused: [String] { cassette.interactions.indices.filter { !isUsed[$0] }.map(name) }

  /// Returns the interaction of the first matching recorded request that is unused, with known secrets filled in, and marks
  /// it as used; nil without one.
  package mutating func next(for sent: CanonicalRequest) -> Cassette.Interaction? {
    guard let found = match(sent) else { return nil }
    isUsed[found.index] = true
    if let secrets = found.secrets { self.secrets = secrets }
    var interaction = cassette.interactions[found.index]
    interaction.outcome = interaction.outcome.filledIn(secrets)
    return interaction
  }

  /// Finds the next response among those of equal requests. The last one repeats.
  private func match(_ sent: CanonicalRequest) -> (index: Int, secrets: SecretBindings?)? {
    if let found = first(in: recorded.indices.filter { !isUsed[$0] }, sent, secrets) { return found }
    guard repeats else { return nil }
    if let found = first(in: recorded.indices.reversed(), sent, secrets) { return found }
    // Another client, or the same one with another token or password.
    let unknown = SecretBindings()
    return first(in: recorded.indices.filter { !isUsed[$0] }, sent, unknown)
      ?? first(in: recorded.indices.reversed(), sent, unknown)
  }

  private func first(
    in indices: [Int], _ sent: CanonicalRequest, _ secrets: SecretBindings
  ) -> (index: Int, secrets: SecretBindings?)? {
    // The names of RPCs decide about most without comparing messages.
    for index in indices where recorded[index].rpc?.id == sent.rpc?.id {
      let comparison = compare(sent, withRecordedAt: index, secrets)
      if comparison.differences.isEmpty { return (index, comparison.secrets) }
    }
    return nil
  }

  private func compare(
    _ sent: CanonicalRequest, withRecordedAt index: Int, _ secrets: SecretBindings
  ) -> ValueComparison {
    var comparison = ValueComparison(
      secrets: secrets, secretNames: ContractMessages.nova.secretNames(sent.rpc))
    comparison.compare(recorded[index].value, sent.value)
    return comparison
  }

  // MARK: Reports

  /// Describes a request that was not recorded: the closest recorded request, and a line for each difference.
  ///
  /// - Parameter request: the method and the path.
  package func report(_ request: String, _ sent: CanonicalRequest) -> String {
    let name = request + (sent.rpc.map { " (\($0.id))" } ?? "")
    guard !recorded.isEmpty else { return "unexpected request \(name): the cassette is empty" }
    let candidates = recorded.indices.map { index in
      let differences = compare(sent, withRecordedAt: index, secrets).differences
      // Prefer the same call, then unused requests.
      let isOtherCall = differences.contains { ["rpc", "method", "path"].contains($0.path) }
      return (index: index, differences: differences, rank: (isOtherCall ? 2_000_000 : 0) + differences.count * 2)
    }
    let best = candidates.min { left, right in
      (left.rank + (isUsed[left.index] ? 1 : 0)) < (right.rank + (isUsed[right.index] ? 1 : 0))
    }
    guard let best else { return "unexpected request \(name)" }
    var lines = ["unexpected request \(name); closest recorded request: \(self.name(best.index))"]
    if isUsed[best.index], !repeats { lines[0] += ", which is already used" }
    lines += best.differences.prefix(10).map { "  \($0)" }
    if best.differences.count > 10 { lines.append("  and \(best.differences.count - 10) more") }
    return lines.joined(separator: "\n")
  }

  private func name(_ index: Int) -> String {
    let interaction = cassette.interactions[index]
    let rpc = interaction.rpc.map { " (\($0))" } ?? ""
    return "#\(index + 1) \(interaction.request.method) \(interaction.request.path)\(rpc)"
  }
}

extension Cassette.Outcome {
  /// Returns the outcome with known secrets filled in, because a client can compare a response with its request.
  fileprivate func filledIn(_ secrets: SecretBindings) -> Cassette.Outcome {
    guard case .response(var response) = self else { return self }
    response.headers = HTTPHeaders(
      response.headers.map { HTTPHeaders.Field(name: $0.name, value: secrets.filledIn($0.value)) })
    switch RecordedBody(response.body.inMemory) {
    case .json(let json): response.body = .bytes(json.filledIn(secrets).jsonUTF8)
    case .text(let text): response.body = .bytes(Array(secrets.filledIn(text).utf8))
    case .none, .bytes, .omitted: break
    }
    return .response(response)
  }
}

extension JSONValue {
  fileprivate func filledIn(_ secrets: SecretBindings) -> JSONValue {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: secrets.filledIn($0.name), value: $0.value.filledIn(secrets)) })
    case .array(let elements): .array(elements.map { $0.filledIn(secrets) })
    case .string(let text): .string(secrets.filledIn(text))
    default: self
    }
  }
}
