import NovaAnnouncements
import NovaCore
import NovaTestSupport
import NovaTesting
import NovaViewModels
import Testing

@MainActor @Suite(.hangLimit) struct PetDetailsViewModelTests {
  private let fake = FakeAnnouncementsService()
  private let log = CapturedLog()
  private let model: PetDetailsViewModel

  init() { model = PetDetailsViewModel(service: fake, logger: log.logger) }

  private func load(_ id: String, _ outcome: FakeOutcome<GetAnnouncementRequest, Announcement>) async {
    fake.getAnnouncement.plays([outcome])
    await model.load(id: id)
  }

  @Test func atFirstThereIsNothing() async {
    #expect(model.pet == nil && model.id == nil && !model.isLoading && model.errorMessage == nil)
    await model.retry()
    #expect(fake.getAnnouncement.requests.isEmpty)
  }

  @Test func detailsAreLoaded() async {
    await load("a", .returns(.pet("a")))
    #expect(model.pet?.id == "a" && model.id == "a" && !model.isLoading && model.errorMessage == nil)
    #expect(model.pet?.updatedAt == Timestamp("2024-12-01T14:24:13Z") && log.lines.isEmpty)
  }

  @Test func anInvalidAnnouncementHasTheDocumentsSentence() async {
    await load("b", .returns(.dinosaur("b")))
    #expect(model.pet == nil && model.errorMessage == "Unable to load pet details" && model.errorReason == nil)
    #expect(
      log.lines == [
        #"warning announcement b cannot be shown: species is "DINOSAUR"; expected dog, cat, bird or other "#
      ])
    await load("b", .returns(.pet("b")))
    #expect(model.pet?.id == "b" && model.errorMessage == nil)
  }

  @Test func otherScreensShowTheSameSentence() {
    let error = AnnouncementError(
      id: "b", problem: AnnouncementProblem(.missingField, field: "phone", expected: "a text"))
    #expect(UserMessage.text(of: error) == "Unable to load pet details")
  }

  @Test(arguments: LoadFailure.all) func aFailureHasASentenceAndCanBeRetried(_ failure: LoadFailure) async {
    await load("a", .fails(failure.error))
    #expect(model.errorMessage == "Unable to load pet details" && model.errorReason == failure.reason)
    #expect(!model.isLoading && log.lines == ["warning cannot load announcement a: \(failure.error.code) "])
    fake.getAnnouncement.plays([.returns(.pet("a"))])
    await model.retry()
    #expect(model.pet?.id == "a" && model.errorMessage == nil && model.errorReason == nil)
    #expect(fake.getAnnouncement.requests.map(\.id) == ["a", "a"])
  }

  @Test(arguments: LoadFailure.all) func onlyWhatIsGoneDisappears(_ failure: LoadFailure) async {
    await load("a", .returns(.pet("a")))
    await load("a", .fails(failure.error))
    #expect((model.pet == nil) == (failure.error.code == .notFound) && model.errorMessage != nil)
  }

  @Test func anotherPetClearsTheContentAtOnce() async throws {
    await load("a", .returns(.pet("a")))
    let gate = FakeGate()
    fake.getAnnouncement.plays([.returns(.pet("b")).after(gate)])
    let loading = Task { await model.load(id: "b") }
    try await fake.getAnnouncement.waitForCalls(2)
    #expect(model.pet == nil && model.id == "b" && model.isLoading)
    loading.cancel()
    await loading.value
    #expect(model.pet == nil && !model.isLoading && model.errorMessage == nil && log.lines.isEmpty)
  }

  @Test func theSamePetStaysUntilItIsLoadedAgain() async throws {
    await load("a", .returns(.pet("a")))
    let gate = FakeGate()
    fake.getAnnouncement.plays([.returns(.pet("a", name: "Moritz")).after(gate)])
    let loading = Task { await model.load(id: "a") }
    try await fake.getAnnouncement.waitForCalls(2)
    #expect(model.pet?.name == "Max" && model.isLoading)
    gate.open()
    await loading.value
    #expect(model.pet?.name == "Moritz" && !model.isLoading)
  }

  /// The details of one pet are never shown for another, in whichever order the responses arrive.
  @Test(arguments: [true, false]) func aSupersededLoadChangesNothing(failing: Bool) async throws {
    let gate = FakeGate()
    fake.getAnnouncement.plays([
      .runs { _ in
        // A task of its own, which is not cancelled with the load.
        await Task.detached { try? await gate.pass() }.value
        return failing ? .dinosaur("a") : .pet("a")
      }, .returns(.pet("b")),
    ])
    let first = Task { await model.load(id: "a") }
    try await fake.getAnnouncement.waitForCalls(1)
    await model.load(id: "b")
    gate.open()
    await first.value
    #expect(model.pet?.id == "b" && model.id == "b" && model.errorMessage == nil && log.lines.isEmpty)
  }
}
