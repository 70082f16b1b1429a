import NovaAnnouncements
import NovaCore
import NovaTestSupport
import NovaTesting
import NovaViewModels
import Testing

@MainActor @Suite(.hangLimit) struct AnimalListViewModelTests {
  private let fake = FakeAnnouncementsService()
  private let log = CapturedLog()
  private let model: AnimalListViewModel

  init() { model = AnimalListViewModel(service: fake, logger: log.logger) }

  private func list(_ announcements: Announcement...) -> FakeOutcome<
    ListAnnouncementsRequest, ListAnnouncementsResponse
  > {
    .returns(ListAnnouncementsResponse(data: announcements))
  }

  private func load(
    _ outcome: FakeOutcome<ListAnnouncementsRequest, ListAnnouncementsResponse>, near place: Coordinate? = nil
  ) async {
    fake.listAnnouncements.plays([outcome])
    await model.load(near: place)
  }

  @Test func atFirstThereIsNothing() {
    #expect(model.animals.isEmpty && model.skipped.isEmpty && !model.isLoading && !model.isEmpty)
    #expect(model.errorMessage == nil && model.errorReason == nil && model.outdatedMessage == nil)
    #expect(!model.showsStoredContent && model.contentAge == nil)
  }

  @Test func animalsAreLoadedAndWhatIsSkippedIsReported() async {
    await load(list(.pet("a"), .dinosaur("b"), .pet("c"), .pet("a")))
    #expect(model.animals.map(\.id) == ["a", "c"])
    #expect(
      model.skipped.map(\.id) == ["b", "a"] && model.skipped.map(\.reason.kind) == [.unknownSpecies, .repeatedID])
    #expect(!model.isLoading && !model.isEmpty && model.errorMessage == nil)
    #expect(
      log.lines == [
        #"warning skipped announcement b: species is "DINOSAUR"; expected dog, cat, bird or other "#,
        #"warning skipped announcement a: id is "a"; expected an id that no earlier announcement of the list has "#,
      ])
  }

  @Test func aListCanBeEmpty() async {
    await load(list())
    #expect(model.isEmpty && model.animals.isEmpty && model.errorMessage == nil)
    await load(list(.dinosaur("a")))
    #expect(model.isEmpty && model.skipped.count == 1)
    await load(list(.pet("a")))
    #expect(!model.isEmpty && model.skipped.isEmpty)
  }

  @Test(arguments: LoadFailure.all) func aFailureHasASentenceAndCanBeRetried(_ failure: LoadFailure) async {
    let place = Coordinate(latitude: 1, longitude: 2)
    await load(.fails(failure.error), near: place)
    #expect(model.errorMessage == "Unable to load data. Please try again later.")
    #expect(model.errorReason == failure.reason && !model.isLoading && !model.isEmpty)
    #expect(log.lines == ["warning cannot load the announcements: \(failure.error.code) "])
    fake.listAnnouncements.plays([list(.pet("a"))])
    await model.retry()
    #expect(model.animals.count == 1 && model.errorMessage == nil && model.errorReason == nil)
    #expect(fake.listAnnouncements.requests.map(\.lat) == [1, 1], "near the same place")
  }

  @Test(arguments: LoadFailure.all.filter { $0.error.code != .notFound })
  func aFailureKeepsTheAnimals(_ failure: LoadFailure) async {
    await load(list(.pet("a")))
    await load(.fails(failure.error))
    #expect(model.animals.map(\.id) == ["a"] && model.errorMessage != nil)
  }

  @Test func placesThatDoNotExistAreNotAskedFor() async {
    await model.load(near: Coordinate(latitude: 91, longitude: 0))
    #expect(model.errorMessage == "Unable to load data. Please try again later.")
    #expect(fake.listAnnouncements.requests.isEmpty)
  }

  @Test func aLoadInProgressHidesTheErrorAndKeepsTheAnimals() async throws {
    await load(list(.pet("a")))
    await load(.fails(LoadFailure.all[0].error))
    let gate = FakeGate()
    fake.listAnnouncements.plays([list(.pet("b")).after(gate)])
    let loading = Task { await model.load() }
    try await fake.listAnnouncements.waitForCalls(3)
    #expect(model.isLoading && model.errorMessage == nil && model.animals.map(\.id) == ["a"])
    gate.open()
    await loading.value
    #expect(!model.isLoading && model.animals.map(\.id) == ["b"])
  }

  @Test func aCancelledLoadSaysNothing() async throws {
    await load(list(.pet("a")))
    fake.listAnnouncements.plays([list(.pet("b")).after(FakeGate())])
    let loading = Task { await model.load() }
    try await fake.listAnnouncements.waitForCalls(2)
    loading.cancel()
    await loading.value
    #expect(model.animals.map(\.id) == ["a"] && !model.isLoading)
    #expect(model.errorMessage == nil && model.errorReason == nil && log.lines.isEmpty)
    await load(.fails(APIError(.cancelled, "the client was shut down")))
    #expect(model.animals.map(\.id) == ["a"] && model.errorMessage == nil && !model.isLoading)
  }

  /// A late response to a cancelled load changes nothing.
  @Test(arguments: [true, false]) func aSupersededLoadChangesNothing(failing: Bool) async throws {
    let gate = FakeGate()
    let late = fake.listAnnouncements
    late.plays([
      .runs { _ in
        // A task of its own, which is not cancelled with the load.
        await Task.detached { try? await gate.pass() }.value
        if failing { throw APIError(.serverError, "late") }
        return ListAnnouncementsResponse(data: [.pet("old"), .dinosaur("b")])
      }, list(.pet("new")),
    ])
    let first = Task { await model.load() }
    try await late.waitForCalls(1)
    await model.load()
    #expect(model.animals.map(\.id) == ["new"] && !model.isLoading)
    gate.open()
    await first.value
    #expect(model.animals.map(\.id) == ["new"] && model.skipped.isEmpty && model.errorMessage == nil)
    #expect(!model.isLoading && log.lines.isEmpty)
  }
}
