import NovaAnnouncements
import NovaCore
import NovaMock
import NovaOffline
import NovaTestSupport
import NovaTesting
import NovaViewModels
import Testing

/// Announcements from an offline store, shown while the gateway cannot be reached.
@Suite(.hangLimit) @MainActor struct StoredAnnouncementsTests {
  private static let outdated = "This was saved earlier and may be out of date."

  private let gateway = HeldGateway(MockBackend())
  private let clock = ManualClock(unixTime: 1_750_000_000)
  private let folder: TemporaryFolder
  private let store: OfflineStore
  private let service: AnnouncementsService

  init() throws {
    folder = try TemporaryFolder()
    store = OfflineStore(directory: folder.path, clock: clock)
    service = AnnouncementsService(client: try APIClient.test(gateway, token: nil, store: store, clock: clock))
    gateway.open()
  }

  private func goOffline() { gateway.open { _ in .lost } }

  @Test func aStoredListShowsAtOnceAndStaysWithoutAConnection() async throws {
    await AnimalListViewModel(service: service).load()
    clock.advance(by: .seconds(60))
    gateway.shut()
    let model = AnimalListViewModel(service: service)
    let loading = Task { await model.load() }
    await gateway.waitForCalls(1)
    #expect(model.animals.map(\.id) == ["pet-1", "pet-2", "pet-3"] && model.skipped.count == 7)
    #expect(model.isLoading && model.showsStoredContent && model.contentAge == .seconds(60))
    #expect(model.outdatedMessage == nil, "the gateway is still asked")
    goOffline()
    await loading.value
    #expect(model.animals.count == 3 && model.showsStoredContent && model.errorMessage == nil)
    #expect(model.outdatedMessage == Self.outdated && !model.isLoading)
    gateway.open()
    await model.retry()
    #expect(model.outdatedMessage == nil && !model.showsStoredContent && model.contentAge == nil)
    await store.end()
  }

  @Test func whatIsNotStoredNeedsAConnection() async throws {
    goOffline()
    let list = AnimalListViewModel(service: service)
    await list.load()
    #expect(list.errorMessage == "Unable to load data. Please try again later." && list.errorReason != nil)
    #expect(list.outdatedMessage == nil && !list.showsStoredContent && !list.isEmpty)
    let details = PetDetailsViewModel(service: service.with { $0.cache = .cacheOnly })
    await details.load(id: "pet-1")
    #expect(details.errorMessage == "Unable to load pet details")
    #expect(
      details.errorReason == "This is not stored on this device. Loading it needs a network connection.")
    await store.end()
  }

  @Test func storedDetailsStayWithoutAConnection() async throws {
    let model = PetDetailsViewModel(service: service)
    await model.load(id: "pet-1")
    #expect(model.pet?.name == "Luna" && !model.showsStoredContent)
    goOffline()
    await model.retry()
    #expect(model.pet?.name == "Luna" && model.showsStoredContent && model.outdatedMessage == Self.outdated)
    #expect(model.errorMessage == nil)
    await model.load(id: "pet-2")
    #expect(model.pet == nil && model.errorMessage != nil && model.outdatedMessage == nil)
    let again = PetDetailsViewModel(service: service)
    await again.load(id: "pet-1")
    #expect(again.pet?.name == "Luna" && again.outdatedMessage == Self.outdated)
    await store.end()
  }

  @Test func aPolicyOfItsOwnDecidesAlone() async throws {
    await AnimalListViewModel(service: service).load()
    let calls = gateway.calls.count
    let model = AnimalListViewModel(service: service.with { $0.cache = .cacheOnly })
    await model.load()
    #expect(model.animals.count == 3 && model.showsStoredContent && model.outdatedMessage == nil)
    #expect(gateway.calls.count == calls)
    await store.end()
  }

  @Test func aStoredPetThatIsGoneDisappears() async throws {
    await PetDetailsViewModel(service: service).load(id: "pet-1")
    await store.end()
    let store = OfflineStore(directory: folder.path, clock: clock)
    let transport = RecordingTransport(status: 404, #"{"code":5,"message":"gone"}"#)
    let gone = AnnouncementsService(
      client: try APIClient.test(transport, token: nil, store: store, clock: clock))
    #expect(try await gone.with { $0.cache = .cacheOnly }.detail(id: "pet-1").name == "Luna")
    let model = PetDetailsViewModel(service: gone)
    await model.load(id: "pet-1")
    #expect(model.pet == nil && !model.showsStoredContent && model.errorReason == "This no longer exists.")
    await store.end()
  }
}
