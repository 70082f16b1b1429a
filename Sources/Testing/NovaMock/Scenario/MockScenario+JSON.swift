import NovaCore

extension MockScenario {
  /// The maximum size of a file, in bytes.
  public static let maximumBytes = 1 << 20

  /// Reads a scenario from JSON.
  ///
  /// ```json
  /// {
  ///   "name": "a slow evening",
  ///   "steps": [
  ///     {"from": "2min", "to": "4min", "faults": ["social.*=503@30%", "bandwidth 20kB/s"]},
  ///     {"at": "4min", "do": "new epoch"}
  ///   ]
  /// }
  /// ```
  ///
  /// - Throws: ``MockScenarioError``, which names the step and the member.
  public init(jsonUTF8 bytes: [UInt8]) throws(MockScenarioError) {
    guard bytes.count <= Self.maximumBytes else {
      throw MockScenarioError("expected at most \(Self.maximumBytes) bytes, got \(bytes.count)")
    }
    let json: JSONValue
    do {
      json = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw MockScenarioError("not JSON: \(error)")
    }
    let reader = try ScenarioReader(json, step: nil, members: ["name", "seed", "steps"])
    guard let steps = json["steps"]?.elements else { throw reader.wrong("steps", "a list of steps") }
    guard (1...Self.maximumSteps).contains(steps.count) else {
      throw MockScenarioError("expected 1 to \(Self.maximumSteps) steps, got \(steps.count)", member: "steps")
    }
    var read: [Step] = []
    for (index, step) in steps.enumerated() { read.append(try Step(step, number: index + 1)) }
    try self.init(name: try reader.text("name") ?? "", seed: try reader.seed(), steps: read)
  }
}

extension MockScenario.Step {
  fileprivate init(_ json: JSONValue, number: Int) throws(MockScenarioError) {
    let reader = try ScenarioReader(json, step: number, members: ["from", "to", "faults", "at", "do", "note"])
    let note = try reader.text("note") ?? ""
    let (isAction, isWindow) = (reader.has(["at", "do"]), reader.has(["from", "to", "faults"]))
    if isAction, isWindow {
      throw MockScenarioError("expected from, to, and faults, or at and do, got both", step: number)
    }
    guard isAction || isWindow else {
      throw MockScenarioError("expected from, to, and faults, or at and do, got neither", step: number)
    }
    if isAction {
      let actions = try reader.each("do") { text throws(MockScenarioError) in
        if let action = MockScenarioAction(text) { return action }
        throw reader.wrong(
          "do", "invalid \"\(text.shortened(to: 60))\"; expected \(MockScenarioAction.examples)", isWhole: true)
      }
      self.init(start: try reader.time("at"), actions: actions, note: note)
    } else {
      let faults = try reader.each("faults") { text throws(MockScenarioError) in
        do throws(FaultRuleError) {
          return try FaultRule(text)
        } catch {
          throw reader.wrong("faults", "\(error)", isWhole: true)
        }
      }
      let end = json["to"] == nil ? nil : try reader.time("to")
      self.init(start: try reader.time("from"), end: end, faults: faults, note: note)
    }
  }
}

/// Reads the members of an object in a scenario.
private struct ScenarioReader {
  private let json: JSONValue
  private let step: Int?

  /// Throws for anything but an object with some of the members.
  init(_ json: JSONValue, step: Int?, members: [String]) throws(MockScenarioError) {
    (self.json, self.step) = (json, step)
    guard let found = json.memberList else {
      throw MockScenarioError(
        "expected an object with \(members.joined(separator: ", ")), got \(json.kindDescription)", step: step)
    }
    guard let other = found.first(where: { !members.contains($0.name) })?.name else { return }
    let hint = Suggestion.closest(to: other, among: members).map { "did you mean \($0)?" }
    throw MockScenarioError(
      "unknown member \"\(other.shortened(to: 40))\"; \(hint ?? "expected \(members.joined(separator: ", "))")",
      step: step)
  }

  func has(_ members: [String]) -> Bool { members.contains { json[$0] != nil } }

  func text(_ member: String) throws(MockScenarioError) -> String? {
    guard let value = json[member] else { return nil }
    guard let text = value.stringValue, text.utf8.count <= 1000 else {
      throw wrong(member, "a text of at most 1000 bytes")
    }
    return text
  }

  func seed() throws(MockScenarioError) -> UInt64? {
    guard let value = json["seed"] else { return nil }
    if case .number(let text) = value, let seed = UInt64(text) { return seed }
    throw wrong("seed", "a whole number from 0 to \(UInt64.max)")
  }

  /// A duration: a text like `2min`, or a number of seconds.
  func time(_ member: String) throws(MockScenarioError) -> Duration {
    if let value = json[member] {
      if let text = value.stringValue, let time = ScenarioTime.parse(text) { return time }
      if case .number(let text) = value, let seconds = Double(text), seconds.magnitude < 1e9 {
        return .seconds(seconds)
      }
    }
    throw wrong(member, "a time like \"90s\", \"2min\", or \"1h 30min\", or a number of seconds")
  }

  /// The texts of a list, or a single one, each as what it means.
  func each<Value>(
    _ member: String, _ read: (String) throws(MockScenarioError) -> Value
  ) throws(MockScenarioError) -> [Value] {
    let texts: [String]
    switch json[member] {
    case .string(let text): texts = [text]
    case .array(let values) where !values.isEmpty && values.allSatisfy({ $0.stringValue != nil }):
      texts = values.compactMap(\.stringValue)
    default: throw wrong(member, "a text, or a list of one or more texts")
    }
    var found: [Value] = []
    for text in texts { found.append(try read(text)) }
    return found
  }

  /// - Parameter isWhole: whether the text is the whole problem, and not what was expected.
  func wrong(_ member: String, _ expected: String, isWhole: Bool = false) -> MockScenarioError {
    if isWhole { return MockScenarioError(expected, step: step, member: member) }
    let found = json[member].map { value in
      value.stringValue.map { "\"\($0.shortened(to: 60))\"" } ?? value.kindDescription
    }
    return MockScenarioError("expected \(expected), got \(found ?? "nothing")", step: step, member: member)
  }
}
