import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMock

/// Scenarios as files.
@Suite struct MockScenarioTests {
  private func scenario(_ json: String) throws -> MockScenario { try MockScenario(jsonUTF8: Array(json.utf8)) }

  @Test func theExampleIsAScenario() throws {
    let scenario = try scenario(Checkout.text(of: "Examples/Chaos/evening.json"))
    #expect(scenario.name == "a bad evening" && scenario.seed == 7 && scenario.steps.count == 9)
    #expect(scenario.duration == nil)
    let outage = scenario.steps[1]
    #expect(outage.start == .seconds(120) && outage.end == .seconds(240))
    #expect(outage.faults.map(\.description) == ["social.*=503@30%", "bandwidth 20kB/s"])
    #expect(scenario.steps[5].actions == [.signOutAll, .endStreams(.tokenExpired)])
    #expect(scenario.steps[7].actions == [.moveClock(.seconds(7200))])
  }

  @Test func stepsCanBeWrittenInSwift() throws {
    let scenario = try MockScenario(
      steps: [
        .faults(["503"], from: .zero, to: .seconds(60)), .action(.newEpoch, at: .seconds(90), note: "gone"),
      ])
    #expect(scenario.duration == .seconds(90) && scenario.seed == nil)
    let error = #expect(throws: MockScenarioError.self) {
      try MockScenario(steps: [.faults(["503"], from: .seconds(2), to: .seconds(1))])
    }
    #expect(error?.description == "invalid scenario: step 1: to: expected a time after 2s, got 1s")
  }

  @Test(arguments: [
    ("90s", 90_000), ("2min", 120_000), ("2 min", 120_000), ("1h 30min", 5_400_000), ("1h30m", 5_400_000),
    ("500ms", 500), ("1.5s", 1500), ("1d", 86_400_000), ("0s", 0),
  ])
  func timesAreRead(_ text: String, _ milliseconds: Int) {
    #expect(ScenarioTime.parse(text) == .milliseconds(milliseconds))
    let written = ScenarioTime.text(.milliseconds(milliseconds))
    #expect(ScenarioTime.parse(written) == .milliseconds(milliseconds), "\(written)")
  }

  @Test(arguments: ["", "2", "min", "2 weeks", "-2s", "1e3s", "2..5s", "٢s", "2s2"])
  func otherTimesAreRefused(_ text: String) { #expect(ScenarioTime.parse(text) == nil) }

  @Test(arguments: [
    "new epoch", "end streams", "end streams too_slow", "sign out", "clock +1h", "clock -10min",
    "clock 2025-01-01T00:00:00Z",
  ])
  func actionsAreRead(_ text: String) { #expect(MockScenarioAction(text)?.description == text) }

  @Test(arguments: [
    ("[]", "expected an object with name, seed, steps, got a list"), ("{", "not JSON"),
    ("{}", "steps: expected a list of steps, got nothing"),
    (#"{"steps":[]}"#, "steps: expected 1 to 1000 steps, got 0"),
    (#"{"stebs":[]}"#, #"unknown member "stebs"; did you mean steps?"#),
    (#"{"seed":-1,"steps":[{"at":1,"do":"sign out"}]}"#, "seed: expected a whole number"),
    (#"{"steps":[5]}"#, "step 1: expected an object"),
    (#"{"steps":[{"at":"1s","do":"sign out"},{"form":"1s"}]}"#, #"step 2: unknown member "form"; did you mean from?"#),
    (#"{"steps":[{}]}"#, "step 1: expected from, to, and faults, or at and do, got neither"),
    (#"{"steps":[{"at":"1s","faults":["503"]}]}"#, "step 1: expected from, to, and faults, or at and do, got both"),
    (#"{"steps":[{"from":"1s"}]}"#, "step 1: faults: expected a text, or a list of one or more texts, got nothing"),
    (#"{"steps":[{"from":"1s","faults":[]}]}"#, "step 1: faults: expected a text"),
    (#"{"steps":[{"from":"soon","faults":"503"}]}"#, #"step 1: from: expected a time like "90s""#),
    (#"{"steps":[{"from":"5min","to":"4min","faults":"503"}]}"#, "step 1: to: expected a time after 5min, got 4min"),
    (#"{"steps":[{"from":"31d","faults":"503"}]}"#, "step 1: from: expected a time from 0s to 720h"),
    (#"{"steps":[{"from":-1,"faults":"503"}]}"#, "step 1: from: expected a time from 0s to 720h"),
    (#"{"steps":[{"from":0,"faults":["503","expload"]}]}"#, #"step 1: faults: invalid fault rule "expload""#),
    (#"{"steps":[{"from":0,"faults":"socail.*=503"}]}"#, "step 1: faults: invalid fault rule"),
    (#"{"steps":[{"at":0,"do":"explode"}]}"#, #"step 1: do: invalid "explode"; expected new epoch"#),
    (#"{"steps":[{"at":0,"do":"clock +1.5s"}]}"#, "step 1: do: invalid"),
  ])
  func mistakesAreNamed(_ json: String, _ problem: String) {
    let error = #expect(throws: MockScenarioError.self) { try scenario(json) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "none")")
    #expect(error?.description.hasPrefix("invalid scenario: ") == true)
  }
}
