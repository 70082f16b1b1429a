import NovaCapture
import NovaCore
import NovaTesting
import NovaViewModels
import Testing

/// "Saved!" is shown for two seconds.
@MainActor @Suite struct SavedMessageTests {
  private let capture = FakeCaptureService()
  private let clock = ManualClock()
  private let model: CaptureViewModel

  init() {
    capture.createSomething.plays([], then: SaveOutcome.saved.played)
    model = CaptureViewModel(service: capture, clock: clock)
  }

  /// Saves, and returns once the two seconds have started.
  private func save(_ text: String) async {
    model.text = text
    await model.save()
    await clock.waitForSleepers()
    #expect(model.successMessage == "Saved!" && clock.sleeperCount == 1)
  }

  /// Advances the time, and returns once the message has disappeared.
  private func goesAfter(_ duration: Duration) async {
    let changes = ObservedChanges { model.successMessage }
    clock.advance(by: duration)
    await changes.next()
    #expect(model.successMessage == nil)
  }

  @Test func itDisappearsAfterTwoSeconds() async {
    await save("Rain")
    clock.advance(by: .milliseconds(1999))
    #expect(clock.sleeperCount == 1 && model.successMessage == "Saved!")
    await goesAfter(.milliseconds(1))
  }

  @Test func aSecondSaveRestartsTheTwoSeconds() async {
    await save("Rain")
    clock.advance(by: .milliseconds(1500))
    await save("Sun")
    clock.advance(by: .milliseconds(1999))
    #expect(clock.sleeperCount == 1, "two seconds from the second save are not over")
    await goesAfter(.milliseconds(1))
  }

  @Test func itMakesRoomForAnError() async {
    await save("Rain")
    capture.createSomething.plays([SaveOutcome.broken.played])
    model.text = "Sun"
    await model.save()
    #expect(model.successMessage == nil && model.errorMessage != nil && clock.sleeperCount == 0)
  }

  @Test func nothingFiresWhenTheOwnerIsGone() async {
    var owner: CaptureViewModel? = CaptureViewModel(service: capture, clock: clock)
    owner?.text = "Rain"
    await owner?.save()
    await clock.waitForSleepers()
    let reference = WeakReference(model: owner)
    #expect(reference.model?.successMessage == "Saved!")
    owner = nil
    #expect(reference.model == nil, "the sleeping task keeps nobody alive")
    #expect(clock.sleeperCount == 0, "and it does not go on sleeping")
  }
}

private struct WeakReference {
  weak var model: CaptureViewModel?
}
