import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import Testing

/// Positions that no event has: beyond the last one, and as large as a number can be.
@Suite(.hangLimit) struct EventPositionTests {
  private let world = EventWorld()

  private static let offsets = ["999999", "9223372036854775807", "9223372036854775808", "99999999999999999999999"]

  private var epoch: Substring { world.backend.eventPosition.prefix { $0 != ":" } }

  @Test(arguments: offsets) func listsReportAGap(_ offset: String) throws {
    try world.follow("ann", "bob")
    let page = try world.list(["user:ann"], after: "\(epoch):\(offset)")
    #expect(!page.isComplete && page.events.count == 1 && page.nextAfter == world.backend.eventPosition)
  }

  @Test(arguments: offsets) func streamsBeginAnew(_ offset: String) async throws {
    try world.follow("ann", "bob")
    let stream = try await world.stream(["user:ann", "feed:ann"], after: "\(epoch):\(offset)")
    #expect(try await stream.event()?.type == "reset")
    try world.follow("ann", "eve")
    #expect(try await stream.event()?.type == "follow.created")
  }

  @Test(arguments: offsets) func subscribersBeginAnew(_ offset: String) async throws {
    try world.follow("ann", "bob")
    let subscriber = try world.backend.subscription(headers: [:], clock: world.clock)
    let start = try subscriber.subscribe(to: ["user:ann"], after: "\(epoch):\(offset)")
    #expect(start.isReset && start.position == world.backend.eventPosition)
  }

  @Test(arguments: offsets) func theAdminAPIListsNothingBehindTheLastEvent(_ offset: String) async throws {
    try world.follow("ann", "bob")
    let url = HTTPURL(received: "/_nova/events?after=\(epoch):\(offset)&limit=10000")
    let response = await AdminAPI(world.backend).respond(to: HTTPRequest(method: .get, url: url))
    if response.status == 200 {
      #expect(try JSONValue(jsonUTF8: response.body.inMemory)["events"]?.elements?.isEmpty == true)
    } else {
      #expect(response.status == 400 && offset.utf8.count >= 19)
    }
  }

  @Test(arguments: offsets) func theInspectorBeginsAnew(_ offset: String) async throws {
    try world.follow("ann", "bob")
    let url = HTTPURL(received: "/_nova/event-stream?after=\(epoch):\(offset)")
    let response = await AdminAPI(world.backend).respond(to: HTTPRequest(method: .get, url: url))
    #expect(try await EventStream(response).event()?.type == "reset")
  }
}
