import NovaCapture
import NovaCore
import NovaEvents
import NovaMock
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaViewModels

/// Meanings are shown when they arrive.
@Suite(.hangLimit) @MainActor struct LiveCaptureTests {
  private let backend = MockBackend()

  private func signedIn() async throws -> NovaClient {
    let transport = MockTransport(backend)
    let session = try await NovaClient(configuration: .builtIn, transport: transport).auth.register(
      email: "ada@example.com", username: "ada_reader", password: "correct horse battery 1")
    return NovaClient(
      configuration: .builtIn, transport: transport, tokens: StoredToken(try AccessToken(session.token)))
  }

  private func setMeaning(_ text: String, of model: CaptureViewModel, by nova: NovaClient) async throws {
    let id = try #require(model.lastSaved?.id)
    _ = try await nova.capture.updateMeaning(UpdateMeaningRequest(id: id, meaning: text))
  }

  @Test func meaningsShowWhileFollowed() async throws {
    let nova = try await signedIn()
    let model = CaptureViewModel(service: nova.capture, events: nova.events)
    model.follow(live: true)
    try await waitUntil { nova.events.state == .live }
    model.text = "Rain on the roof"
    await model.save()
    #expect(model.errorMessage == nil && model.meaning == nil)

    try await setMeaning("weather", of: model, by: nova)
    try await waitUntil { model.meaning == "weather" }

    // The missed meaning is read again.
    backend.beginEventEpoch()
    try await setMeaning("comfort", of: model, by: nova)
    try await waitUntil { model.meaning == "comfort" }

    model.follow(live: false)
    try await waitUntil { nova.events.state == .offline }
    try await setMeaning("sleep", of: model, by: nova)
    #expect(model.meaning == "comfort")
  }

  @Test func withoutEventsNothingIsFollowed() async throws {
    let nova = NovaClient.mock(backend)
    let model = CaptureViewModel(service: nova.capture)
    model.follow(live: true)
    #expect(nova.events.state == .offline && backend.eventSubscriberCount == 0)
  }
}
