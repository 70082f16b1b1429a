import NovaAnnouncements
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct DocumentSampleTests {
  private func announcements(_ body: String) throws -> AnnouncementsService {
    AnnouncementsService(client: try APIClient.test(RecordingTransport(body)))
  }

  /// The sample has no times, and is complete.
  @Test func theListIsRead() async throws {
    let list = try await announcements(DocumentSample.list(DocumentSample.listItem)).list()
    #expect(list.skipped.isEmpty)
    #expect(
      list.animals == [
        Animal(
          id: "550e8400-e29b-41d4-a716-446655440000", name: "Max", species: .dog, status: .missing,
          photoUrl: "/images/max.jpg", lastSeenDate: try #require(CalendarDate("2024-11-15")),
          coordinate: Coordinate(latitude: 52.2297, longitude: 21.0122), breed: "Golden Retriever",
          description: "Friendly golden retriever, responds to Max", contactPhone: "+48123456789")
      ])
  }

  @Test func theDetailsAreRead() async throws {
    let pet = try await announcements(DocumentSample.details).detail(id: "550e8400-e29b-41d4-a716-446655440000")
    #expect(pet.name == "Max" && pet.reward == 500 && pet.rewardText == "500 PLN")
    #expect(pet.microchipNumber == "123456789012345" && pet.contactEmail == "owner@example.com")
    #expect(pet.createdAt == Timestamp("2024-11-20T10:30:00Z") && pet.updatedAt == Timestamp("2024-12-01T14:24:13Z"))
  }

  @Test(arguments: DocumentSample.defects) func aListSkipsDefectsAndDetailsFail(_ defect: DocumentSample.Defect)
    async throws
  {
    let bad = defect.applied(to: DocumentSample.listItem)
    let good = DocumentSample.listItem.replacing("550e8400", with: "660e8400")
    let list = try await announcements(DocumentSample.list(bad, good)).list()
    #expect(list.animals.map(\.id) == ["660e8400-e29b-41d4-a716-446655440000"])
    #expect(list.skipped.map(\.id) == ["550e8400-e29b-41d4-a716-446655440000"])
    #expect(list.skipped.map(\.reason.kind) == [defect.kind] && list.skipped.map(\.reason.field) == [defect.field])
    let error = await #expect(throws: AnnouncementError.self) {
      try await announcements(defect.applied(to: DocumentSample.details)).detail(
        id: "550e8400-e29b-41d4-a716-446655440000")
    }
    #expect(error?.problem.kind == defect.kind && error?.problem.field == defect.field)
  }
}
