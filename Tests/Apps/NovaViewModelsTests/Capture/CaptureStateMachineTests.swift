import NovaCapture
import NovaCore
import NovaTestSupport
import NovaTesting
import NovaViewModels
import Testing

/// Random sequences of actions by the user, the server, and the clock, and the invariants after each of them.
@MainActor @Suite struct CaptureStateMachineTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func theModelHoldsItsPromises(seed: UInt64) async throws {
    var run = CaptureRun(seed: seed)
    for _ in 0..<40 { try await run.step() }
    await run.answer()
    #expect(!run.model.isSaving, "seed \(seed): it saves for ever after \(run.story)")
    try run.capture.verify()
  }
}

/// One random sequence.
@MainActor private struct CaptureRun {
  private enum Step: CaseIterable { case write, clear, writeTooMuch, save, saveTwice, answer, wait }

  /// The save without a response; nil if no save is in progress.
  private struct OpenSave {
    let text: String
    let outcome: SaveOutcome
    let gate: FakeGate
    let tasks: [Task<Void, Never>]
  }

  let capture = FakeCaptureService()
  let model: CaptureViewModel
  private(set) var story: [String] = []
  private let clock = ManualClock()
  private var random: SeededGenerator
  private var open: OpenSave?
  private var saves = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    model = CaptureViewModel(service: capture, clock: clock)
    story.append("seed \(seed)")
  }

  mutating func step() async throws {
    let step = try #require(Step.allCases.randomElement(using: &random))
    story.append("\(step)")
    switch step {
    case .write: model.text += "word \(story.count) "
    case .clear: model.text = ""
    case .writeTooMuch: model.text = String(repeating: "x", count: 10_001)
    case .save: try await save(times: 1)
    case .saveTwice: try await save(times: 2)
    case .answer: await answer()
    case .wait: await wait()
    }
    check()
  }

  private mutating func save(times: Int) async throws {
    let (outcome, gate) = (try #require(SaveOutcome.allCases.randomElement(using: &random)), FakeGate())
    let (isPossible, text) = (model.canSave, model.text)
    if isPossible { capture.next(outcome, after: gate) }
    let tasks = (0..<times).map { _ in Task { [model] in await model.save() } }
    guard isPossible else {
      for task in tasks { await task.value }
      return
    }
    saves += 1
    try await capture.createSomething.waitForCalls(saves)
    open = OpenSave(text: text, outcome: outcome, gate: gate, tasks: tasks)
  }

  /// Answers the save in progress, if there is one.
  mutating func answer() async {
    guard let open else { return }
    self.open = nil
    story.append("\(open.outcome)")
    let written = model.text
    open.gate.open()
    for task in open.tasks { await task.value }
    let isSaved = open.outcome.isSuccess
    #expect(model.text == (isSaved && written == open.text ? "" : written), "\(story)")
    #expect((model.successMessage == "Saved!") == isSaved && (model.errorMessage == nil) == isSaved, "\(story)")
    #expect(model.needsReauthentication == (open.outcome == .unauthorized), "\(story)")
    if isSaved { await clock.waitForSleepers() }
  }

  /// Advances the clock by two seconds.
  private func wait() async {
    let changes = model.successMessage == nil ? nil : ObservedChanges { model.successMessage }
    clock.advance(by: .seconds(2))
    await changes?.next()
    #expect(model.successMessage == nil, "\(story)")
  }

  private func check() {
    #expect(model.isSaving == (open != nil) && capture.texts.count == saves, "two saves are under way: \(story)")
    #expect(model.characterCount == model.text.count, "\(story)")
    #expect(model.canSave == (!model.isSaving && (1...10_000).contains(model.text.count)), "\(story)")
    #expect(model.errorMessage == nil || model.successMessage == nil, "both messages are shown: \(story)")
    #expect(!model.isSaving || model.errorMessage == nil && model.successMessage == nil, "\(story)")
    #expect(!model.needsReauthentication || model.errorMessage != nil, "\(story)")
  }
}
