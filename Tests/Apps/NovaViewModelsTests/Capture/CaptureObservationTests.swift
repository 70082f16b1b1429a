import NovaCore
import NovaTesting
import NovaViewModels
import Observation
import Testing

/// The observation of the model by an app's views.
@MainActor @Suite struct CaptureObservationTests {
  private let capture = FakeCaptureService()
  private let model: CaptureViewModel

  init() { model = CaptureViewModel(service: capture, clock: ManualClock()) }

  @Test func eachKeystrokeShowsInTheCount() async {
    for (text, count) in [("R", 1), ("Ra", 2), ("R", 1)] {
      let changes = ObservedChanges { (model.characterCount, model.canSave) }
      model.text = text
      await changes.next()
      #expect(model.characterCount == count && model.canSave)
    }
  }

  @Test func canSaveChangesWithTheSave() async {
    model.text = "Rain"
    let gate = FakeGate()
    capture.next(.refused, after: gate)
    let begins = ObservedChanges { model.canSave }
    let saving = Task { await model.save() }
    await begins.next()
    #expect(!model.canSave)
    let ends = ObservedChanges { model.canSave }
    gate.open()
    await ends.next()
    await saving.value
    #expect(model.canSave)
  }

  @available(macOS 26, *)
  @Test func aSequenceOfObservationsSeesTheWholeSave() async {
    let gate = FakeGate()
    capture.next(.saved, after: gate)
    model.text = "Rain"
    var seen: [String] = []
    let values = Observations { [model] in model.isSaving ? "saving" : model.successMessage ?? "ready" }
    for await value in values {
      seen.append(value)
      if value == "ready" { Task { await model.save() } }
      if value == "saving" { gate.open() }
      if value == "Saved!" { break }
    }
    #expect(seen == ["ready", "saving", "Saved!"])
  }
}
