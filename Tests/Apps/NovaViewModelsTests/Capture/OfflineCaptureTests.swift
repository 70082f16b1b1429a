import NovaCapture
import NovaCore
import NovaOffline
import NovaTestSupport
import Testing

@testable import NovaViewModels

/// Texts that wait in the store's outbox.
@Suite(.hangLimit) @MainActor struct OfflineCaptureTests {
  @Test func withoutAConnectionATextIsSavedAndSentOnce() async throws {
    let stage = try await OfflineStage()
    stage.goOffline()
    stage.capture.text = "Rain"
    await stage.capture.save()
    #expect(stage.capture.text.isEmpty && stage.capture.errorMessage == nil && !stage.capture.isSaving)
    #expect(stage.capture.successMessage == "Saved. It will be sent when you are online.")
    #expect(stage.capture.isLastSaveWaiting && stage.capture.meaning == nil)
    #expect(stage.capture.lastSaved?.content == "Rain" && (stage.capture.lastSaved?.id ?? 0) < 0)
    #expect(try stage.capturesOfAda() == [])
    try await stage.restart()
    #expect(try await stage.goOnline().waiting == 0)
    #expect(try stage.capturesOfAda() == ["Rain"])
    #expect(try await stage.goOnline().waiting == 0)
    stage.capture.text = "Sun"
    await stage.capture.save()
    #expect(stage.capture.successMessage == "Saved!" && !stage.capture.isLastSaveWaiting)
    #expect((stage.capture.lastSaved?.id ?? 0) > 0)
    #expect(try stage.capturesOfAda() == ["Sun", "Rain"])
  }

  @Test func aTextWhoseAnswerIsLostIsSavedOnce() async throws {
    let stage = try await OfflineStage()
    stage.gateway.open { _ in .lostAfterwards }
    stage.capture.text = "Rain"
    await stage.capture.save()
    #expect(stage.capture.text.isEmpty && stage.capture.isLastSaveWaiting)
    try await stage.goOnline()
    #expect(try stage.capturesOfAda() == ["Rain"])
  }

  @Test func textsAreSentInTheirOrder() async throws {
    let stage = try await OfflineStage()
    stage.goOffline()
    for text in ["one", "two", "three"] {
      stage.capture.text = text
      await stage.capture.save()
    }
    #expect(try await stage.goOnline().waiting == 0)
    #expect(try stage.capturesOfAda() == ["three", "two", "one"])
  }

  @Test func aTextThatCannotBeStoredStays() async throws {
    let stage = try await OfflineStage()
    stage.goOffline()
    try stage.removeFolder()
    stage.capture.text = "Rain"
    await stage.capture.save()
    #expect(stage.capture.text == "Rain" && !stage.capture.isLastSaveWaiting)
    #expect(stage.capture.errorMessage != nil && stage.capture.successMessage == nil)
    #expect(stage.capture.lastSaved == nil)
  }

  @Test func withoutALoginNothingWaits() async throws {
    let stage = try await OfflineStage()
    stage.gateway.open { _ in .unauthorized }
    stage.capture.text = "Rain"
    await stage.capture.save()
    #expect(stage.capture.text == "Rain" && stage.capture.needsReauthentication)
    #expect(try await stage.offline.outbox.entries.isEmpty)
  }

  @Test func textWrittenDuringASaveIsKept() async throws {
    let stage = try await OfflineStage()
    stage.gateway.shut()
    stage.capture.text = "Rain"
    let save = Task { await stage.capture.save() }
    await stage.gateway.waitForCalls(1)
    stage.capture.text = "Rain and sun"
    stage.goOffline()
    await save.value
    #expect(stage.capture.text == "Rain and sun" && stage.capture.isLastSaveWaiting)
    #expect(stage.capture.lastSaved?.content == "Rain")
  }
}
