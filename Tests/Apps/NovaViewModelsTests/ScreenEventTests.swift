import NovaCore
import NovaMock
import NovaSDK
import NovaTestSupport
import NovaTesting
import NovaViewModels
import Testing

/// The analytics events of view models with a tracker.
@MainActor @Suite struct ScreenEventTests {
  private final class Events: Tracker {
    private let screens = Locked<[String]>([])
    var all: [String] { screens.withLock { $0 } }

    func track(_ event: String, properties: [String: String], options: CallOptions) {
      screens.withLock { $0.append("\(event) \(properties)") }
    }

    func flush() async {}
  }

  private let events = Events()
  private let nova = NovaClient.mock()

  @Test func aProfileIsTrackedOncePerVisit() async {
    let model = UserProfileViewModel(
      currentUserId: nil, graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
      users: nova.users, tracker: events)
    #expect(events.all.isEmpty)
    let event = #"screen_opened ["screen": "profile"]"#
    await model.loadUserProfile(userId: "mock-user-id")
    await model.loadUserProfile(userId: "mock-user-id")
    await model.loadFollowers()
    #expect(events.all == [event])
    await model.loadFollowers(userId: "user-0001")
    #expect(events.all == [event, event])
  }

  @Test func anEditorIsTrackedWhenItAppears() {
    let model = CaptureViewModel(service: nova.capture, tracker: events)
    model.text = "private"
    #expect(events.all.isEmpty)
    model.screenOpened()
    #expect(events.all == [#"screen_opened ["screen": "capture"]"#])
    CaptureViewModel(service: nova.capture).screenOpened()
  }
}
