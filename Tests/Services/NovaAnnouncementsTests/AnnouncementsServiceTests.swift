import NovaAnnouncements
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// The announcements service against the mock backend, and against answers of servers.
@Suite struct AnnouncementsServiceTests {
  private let announcements: AnnouncementsService

  init() throws {
    announcements = AnnouncementsService(client: try APIClient.test(MockTransport(MockBackend()), token: nil))
  }

  @Test func theMockHasOneOfEachKindThatIsLeftOut() async throws {
    let list = try await announcements.list()
    #expect(list.animals.map(\.id) == ["pet-1", "pet-2", "pet-3"])
    #expect(Set(list.skipped.map(\.reason.kind)) == Set(AnnouncementProblem.Kind.allCases))
    #expect(list.skipped.count == AnnouncementProblem.Kind.allCases.count)
    for skipped in list.skipped where skipped.reason.kind != .repeatedID {
      #expect(skipped.id.hasPrefix("pet-bad-") || skipped.id.hasPrefix("pet-without-"))
    }
  }

  @Test func theNearestComeFirst() async throws {
    let list = try await announcements.list(near: Coordinate(latitude: 50, longitude: 20))
    #expect(list.animals.map(\.id) == ["pet-2", "pet-1", "pet-3"])
  }

  @Test func placesThatDoNotExistAreNotAskedFor() async throws {
    let transport = RecordingTransport(#"{"data":[]}"#)
    let announcements = AnnouncementsService(client: try APIClient.test(transport))
    for (latitude, longitude) in [(91, 0), (0, -181), (.nan, 0), (0, .infinity)] as [(Double, Double)] {
      let error = await apiError {
        try await announcements.list(near: Coordinate(latitude: latitude, longitude: longitude))
      }
      #expect(error?.code == .invalidArgument && error?.rpc == "announcements.ListAnnouncements")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func aPlaceIsSentAndNoToken() async throws {
    let transport = RecordingTransport(#"{"data":[]}"#)
    let announcements = AnnouncementsService(client: try APIClient.test(transport))
    _ = try await announcements.list(near: Coordinate(latitude: 0, longitude: 0))
    #expect(
      transport.requests.first?.url.text.hasSuffix("/api/v1/announcements?lat=0&lng=0") == true, "0, 0 is a place, too")
    // Problems quote what the server sent: it must have no token to send back.
    #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func detailsFailFast() async throws {
    let luna = try await announcements.detail(id: "pet-1")
    #expect(luna.name == "Luna" && luna.reward == 500)
    #expect(luna.updatedAt == Timestamp("2025-11-21T07:15:00Z"))
    #expect(try await announcements.detail(id: "pet-3").reward == 1250.5)
    let list = try await announcements.list()
    for skipped in list.skipped where skipped.reason.kind != .repeatedID {
      let error = await #expect(throws: AnnouncementError.self) { try await announcements.detail(id: skipped.id) }
      #expect(error == AnnouncementError(id: skipped.id, problem: skipped.reason))
    }
    let missing = await apiError { try await announcements.detail(id: "pet-9") }
    #expect(missing?.code == .notFound)
    let empty = await apiError { try await announcements.detail(id: "") }
    #expect(empty?.code == .invalidArgument && empty?.httpStatus == nil)
  }

  @Test func aResponseWithoutAListFails() async throws {
    for body in [#"{"data":[{"id":"a","age":"old"}]}"#, #"{"data":{}}"#, "[]", "<html>"] {
      let announcements = AnnouncementsService(client: try APIClient.test(RecordingTransport(body)))
      let error = await apiError { try await announcements.list() }
      #expect(
        [.decodingError, .invalidResponse].contains(error?.code), "\(body): \(error.map { "\($0)" } ?? "nothing")")
    }
  }

  @Test func absentFieldsAreMissing() async throws {
    let body = #"""
      {"data": [{"id": "550e8400", "species": "DOG", "status": "MISSING", "photoUrl": "/images/max.jpg",
        "lastSeenDate": "2024-11-15", "description": "Friendly", "phone": "+48123456789", "breed": null}]}
      """#
    let announcements = AnnouncementsService(client: try APIClient.test(RecordingTransport(body)))
    #expect(try await announcements.list().skipped.map(\.reason.field) == ["pet_name"])
    let named = body.replacing("\"species\"", with: "\"petName\": \"Max\", \"species\"")
    let nowhere = AnnouncementsService(client: try APIClient.test(RecordingTransport(named)))
    #expect(try await nowhere.list().skipped.map(\.reason.field) == ["location_latitude"])
  }

  @Test func fakesHaveTheSameCalls() async throws {
    let fake = FakeAnnouncementsService()
    fake.listAnnouncements.returns(ListAnnouncementsResponse(data: [.good, .good.with(\.status, "SOLD")]))
    fake.getAnnouncement.returns(.good)
    let service: any AnnouncementsServiceProtocol = fake
    let list = try await service.list(near: Coordinate(latitude: 1, longitude: 2))
    #expect(list.animals.count == 1 && list.skipped.map(\.reason.kind) == [.unknownStatus])
    #expect(try await service.detail(id: "x").name == "Max")
    #expect(fake.listAnnouncements.requests == [ListAnnouncementsRequest(lat: 1, lng: 2)])
    #expect(fake.getAnnouncement.requests == [GetAnnouncementRequest(id: "x")])
  }
}
