import NovaCapture
import NovaCore
import NovaTesting
import NovaViewModels
import Testing

@MainActor @Suite struct CaptureViewModelTests {
  private let capture = FakeCaptureService()
  private let clock = ManualClock()
  private let model: CaptureViewModel

  init() { model = CaptureViewModel(service: capture, clock: clock) }

  /// Saves the text. The server responds at once.
  private func save(_ outcome: SaveOutcome) async {
    capture.createSomething.plays([outcome.played])
    await model.save()
  }

  /// Starts to save the text. The server responds when the gate opens.
  private func beginSave(_ outcome: SaveOutcome, _ gate: FakeGate) async throws -> Task<Void, Never> {
    let count = capture.texts.count
    capture.next(outcome, after: gate)
    let saving = Task { await model.save() }
    try await capture.createSomething.waitForCalls(count + 1)
    return saving
  }

  @Test func atFirstThereIsNothing() {
    #expect(model.text.isEmpty && model.characterCount == 0 && !model.canSave && !model.isSaving)
    #expect(model.successMessage == nil && model.errorMessage == nil && model.meaning == nil)
    #expect(model.lastSaved == nil && !model.needsReauthentication)
  }

  @Test(arguments: [
    ("", 0, false), ("a", 1, true), (" \n", 2, true), ("👨‍👩‍👧‍👦🇵🇱", 2, true), ("e\u{301}", 1, true), ("\r\n", 1, true),
    (String(repeating: "👍🏽", count: 10_000), 10_000, true), (String(repeating: "x", count: 10_001), 10_001, false),
  ])
  func charactersAreCountedAsPeopleDo(text: String, count: Int, canSave: Bool) async {
    model.text = text
    #expect(model.characterCount == count)
    #expect(model.canSave == canSave)
    await save(.saved)
    #expect(capture.texts == (canSave ? [text] : []))
  }

  @Test func aSaveClearsTheTextAndShowsTheMeaning() async {
    model.text = "Rain"
    await save(.savedWithMeaning)
    #expect(model.text.isEmpty && model.successMessage == "Saved!" && model.errorMessage == nil)
    #expect(model.meaning == "About: Rain" && model.lastSaved?.content == "Rain" && !model.isSaving)
    model.text = "Sun"
    await save(.saved)
    #expect(model.meaning == nil, "the new text has none yet")
    #expect(capture.createSomething.requests.allSatisfy { $0.contentType == "text" })
  }

  @Test func aSaveInProgressHidesMessagesAndAllowsNoOther() async throws {
    model.text = "Rain"
    await save(.refused)
    #expect(model.errorMessage != nil)
    let gate = FakeGate()
    let saving = try await beginSave(.saved, gate)
    #expect(model.isSaving && !model.canSave && model.errorMessage == nil && model.text == "Rain")
    await model.save()
    gate.open()
    await saving.value
    #expect(capture.texts == ["Rain", "Rain"])
    #expect(model.text.isEmpty && !model.isSaving)
  }

  @Test(arguments: SaveOutcome.allCases.filter { !$0.isSuccess })
  func aFailureKeepsTheTextAndShowsTheReason(outcome: SaveOutcome) async throws {
    model.text = "Rain"
    await save(outcome)
    #expect(model.text == "Rain" && !model.isSaving && model.canSave && model.successMessage == nil)
    let message = try #require(model.errorMessage)
    #expect(message.first?.isUppercase == true, "a sentence: \(message)")
    #expect(model.needsReauthentication == (outcome == .unauthorized))
    #expect((message == "Please log in again") == (outcome == .unauthorized))
    await save(.saved)
    #expect(model.text.isEmpty && model.errorMessage == nil && !model.needsReauthentication)
  }

  @Test(arguments: ["Rain, and then sun", "Ra", "", "Sun"])
  func whatIsWrittenDuringASaveStays(_ text: String) async throws {
    model.text = "Rain"
    let gate = FakeGate()
    let saving = try await beginSave(.saved, gate)
    model.text = text
    gate.open()
    await saving.value
    #expect(model.text == text && model.successMessage == "Saved!")
  }

  @Test func aCancelledSaveKeepsTheTextWithoutAMessage() async throws {
    model.text = "Rain"
    let saving = try await beginSave(.saved, FakeGate())
    saving.cancel()
    await saving.value
    #expect(model.text == "Rain" && !model.isSaving && model.errorMessage == nil && model.successMessage == nil)
    await save(.saved)
    #expect(model.text.isEmpty)
  }
}
