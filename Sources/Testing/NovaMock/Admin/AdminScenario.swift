import NovaCore

/// The scenario in the admin API.
struct AdminScenario {
  let backend: MockBackend

  /// The scenario and its steps; null without one.
  var json: JSONValue {
    guard let progress = backend.scenarioProgress else { return ["scenario": .null] }
    return [
      "scenario": [
        "name": .string(progress.name), "seed": .number(String(progress.seed)),
        "elapsed": .string(ScenarioTime.text(progress.elapsed.wholeSeconds)),
        "elapsed_seconds": .number(Int(progress.elapsed.components.seconds)), "finished": .bool(progress.isFinished),
        "steps": .array(progress.steps.map(Self.entry)),
      ]
    ]
  }

  /// Starts the scenario in the body.
  func start(_ body: [UInt8]) throws(MockFailure) -> HTTPResponse {
    do throws(MockScenarioError) {
      backend.run(try MockScenario(jsonUTF8: body))
    } catch {
      throw MockFailure.invalid("\(error)")
    }
    return .json(json)
  }

  /// Starts the last scenario again.
  func restart() throws(MockFailure) -> HTTPResponse {
    guard backend.restartScenario() else {
      throw MockFailure(.notFound, "not found: a scenario to start again; start one with PUT, or with --scenario")
    }
    return .json(json)
  }

  func stop() -> HTTPResponse {
    backend.stopScenario()
    return .json(json)
  }

  private static func entry(_ each: MockScenarioProgress.Step) -> JSONValue {
    let step = each.step
    let rules = each.faults.map { AdminFaults.entry($0) }
    let isAction = !step.actions.isEmpty
    let start = JSONValue.string(ScenarioTime.text(step.start))
    return [
      "from": isAction ? nil : start, "to": step.end.map { .string(ScenarioTime.text($0)) },
      "at": isAction ? start : nil, "state": .string(each.state.rawValue), "faults": isAction ? nil : .array(rules),
      "do": isAction ? .strings(step.actions.map(\.description)) : nil,
      "note": step.note.isEmpty ? nil : .string(step.note),
    ]
  }
}

extension Duration {
  /// The duration without its fraction of a second.
  fileprivate var wholeSeconds: Duration { .seconds(components.seconds) }
}
