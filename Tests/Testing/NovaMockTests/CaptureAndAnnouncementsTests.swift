import NovaAnnouncements
import NovaCapture
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@Suite struct CaptureAndAnnouncementsTests {
  private func client(_ backend: MockBackend = MockBackend(now: { 1_700_000_000 })) throws -> APIClient {
    try APIClient.test(MockTransport(backend), token: nil)
  }

  @Test func capturingReadingChangingDeleting() async throws {
    let capture = CaptureService(client: try client())
    let first = try await capture.createSomething(CreateSomethingRequest(content: "A walk", contentType: "text"))
    #expect(first.userId == "mock-user-id")
    #expect(first.meaning == nil, "the backend writes it later")
    #expect(first.createdAt == Timestamp(seconds: 1_700_000_000))
    let second = try await capture.createSomething(
      CreateSomethingRequest(contentType: "image", mediaUrl: "https://example.com/a.jpg"))
    let all = try await capture.listSomethings(ListSomethingsRequest(limit: 100))
    #expect(all.somethings == [second, first], "newest first")
    #expect(try await capture.listSomethings(ListSomethingsRequest(skip: 1, limit: 1)).somethings == [first])
    let changed = try await capture.updateMeaning(UpdateMeaningRequest(id: first.id, meaning: "calm"))
    #expect(changed.meaning == "calm" && changed.isMeaningUserEdited)
    #expect(try await capture.getSomething(GetSomethingRequest(id: first.id)) == changed)
    _ = try await capture.deleteSomething(DeleteSomethingRequest(id: first.id))
    let gone = await apiError { try await capture.getSomething(GetSomethingRequest(id: first.id)) }
    #expect(gone?.code == .notFound)
  }

  @Test(arguments: [
    CreateSomethingRequest(contentType: "text"), CreateSomethingRequest(content: "x", contentType: "poem"),
    CreateSomethingRequest(content: "", contentType: "text"),
    CreateSomethingRequest(content: String(repeating: "x", count: 10_001), contentType: "text"),
  ])
  func badCapturesAreRefused(_ request: CreateSomethingRequest) async throws {
    let capture = CaptureService(client: try client()).with { $0.checksArguments = false }
    let error = await apiError { try await capture.createSomething(request) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.httpStatus == 400)
  }

  @Test func announcementsAreListedNearestFirst() async throws {
    let announcements = AnnouncementsService(client: try client())
    let all = try await announcements.listAnnouncements(ListAnnouncementsRequest()).data
    #expect(all.map(\.id).prefix(3) == ["pet-1", "pet-2", "pet-3"])
    let near = try await announcements.listAnnouncements(ListAnnouncementsRequest(lat: 50, lng: 20)).data
    #expect(near.first?.id == "pet-2")
    #expect(try await announcements.getAnnouncement(GetAnnouncementRequest(id: "pet-3")) == all[2])
    let missing = await apiError { try await announcements.getAnnouncement(GetAnnouncementRequest(id: "pet-9")) }
    #expect(missing?.code == .notFound)
    for request in [ListAnnouncementsRequest(lat: 50), ListAnnouncementsRequest(lat: 91, lng: 0)] {
      let error = await apiError { try await announcements.listAnnouncements(request) }
      #expect(error?.code == .invalidArgument)
    }
  }
}
