import NovaCapture
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// The capture service against the mock backend, and against answers of servers.
@Suite struct CaptureServiceTests {
  private let capture: CaptureService

  init() throws { capture = CaptureService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func whatIsCapturedIsReadChangedAndDeleted() async throws {
    let text = try await capture.create(text: "The light this morning.")
    #expect(text.content == "The light this morning." && text.contentType == .text)
    #expect(text.meaning == nil && !text.isMeaningUserEdited)
    let image = try await capture.create(.image, mediaUrl: "https://cdn.example/a.jpg")
    #expect(image.contentType == "image" && image.content == nil)
    #expect(try await capture.list() == [image, text])
    #expect(try await capture.list(skip: 1, limit: 1) == [text])
    let changed = try await capture.updateMeaning(id: text.id, meaning: "Calm")
    #expect(changed.meaning == "Calm" && changed.isMeaningUserEdited)
    #expect(try await capture.get(id: text.id) == changed)
    try await capture.delete(id: text.id)
    let gone = await apiError { try await capture.get(id: text.id) }
    #expect(gone?.code == .notFound && gone?.rpc == "capture.GetSomething")
  }

  @Test(arguments: [0, 1, 99, 100, 101, 250])
  func everythingComesOnce(count: Int) async throws {
    for number in 0..<count { try await capture.create(text: "\(number)") }
    var texts: [String?] = []
    for try await something in capture.all() { texts.append(something.content) }
    #expect(texts == (0..<count).reversed().map { "\($0)" })
    var some: [String?] = []
    for try await something in capture.all(pageSize: 7, maximumCount: 20) { some.append(something.content) }
    #expect(some == Array(texts.prefix(20)))
  }

  @Test func whatComesInFrontWhileOneReadsIsNoticed() async throws {
    for number in 0..<6 { try await capture.create(text: "\(number)") }
    let shifts = Locked<[PageShift]>([])
    var texts: [String] = []
    for try await something in capture.all(pageSize: 2, onShift: { shift in shifts.withLock { $0.append(shift) } }) {
      if texts.isEmpty { try await capture.create(text: "new") }
      texts.append(something.content ?? "")
    }
    #expect(Set(texts).count == texts.count && Set(texts).isSuperset(of: ["0", "1", "2", "3"]), "\(texts)")
    #expect(shifts.withLock { $0.allSatisfy { $0.growth == 0 } }, "nobody counts here")
  }

  @Test(arguments: [
    (-1, 1, "skip must not be negative, but is -1"), (0, 0, "limit must be 1…100, got 0"),
    (0, -5, "limit must be 1…100, got -5"), (0, 101, "limit must be 1…100, got 101"),
    (.min, 1, "skip must not be negative, but is \(Int.min)"),
  ])
  func pagesThatAreNoneAreNotAskedFor(skip: Int, limit: Int, message: String) async throws {
    let transport = RecordingTransport("[]")
    let capture = CaptureService(client: try APIClient.test(transport))
    let error = await apiError { try await capture.list(skip: skip, limit: limit) }
    #expect(error?.code == .invalidArgument && error?.rpc == "capture.ListSomethings")
    #expect(error?.message == message)
    #expect(transport.requests.isEmpty)
  }

  @Test func theLimitsThemselvesAreAskedFor() async throws {
    let transport = RecordingTransport("[]")
    let capture = CaptureService(client: try APIClient.test(transport))
    for limit in [1, 100] { #expect(try await capture.list(skip: 0, limit: limit).isEmpty) }
    _ = try await capture.list()
    #expect(
      transport.requests.map { $0.url.text.split(separator: "?").last.map(String.init) } == [
        "limit=1", "limit=100", "limit=100",
      ])
  }

  @Test(arguments: [(0, false), (1, true), (10_000, true), (10_001, false)])
  func textsHaveOneToTenThousandCharacters(count: Int, isSent: Bool) async throws {
    for character in ["x", "ó", "👨‍👩‍👧‍👦", "e\u{301}"] {
      let text = String(repeating: character, count: count)
      let transport = RecordingTransport(status: 201, #"{"id":1,"contentType":"text","content":"\#(text)"}"#)
      let capture = CaptureService(client: try APIClient.test(transport))
      let error = await apiError { try await capture.create(text: text) }
      #expect(error?.code == (isSent ? nil : .invalidArgument), "\(count) × \(character)")
      #expect(transport.requests.count == (isSent ? 1 : 0), "\(count) × \(character)")
    }
  }

  @Test func fakesHaveTheSameCalls() async throws {
    let fake = FakeCaptureService()
    fake.listSomethings.runs { request in
      let ids = (request.skip..<min(request.skip + request.limit, 5)).map(Int64.init)
      return ListSomethingsResponse(somethings: ids.map { Something(id: $0) })
    }
    let service: any CaptureServiceProtocol = fake
    var ids: [Int64] = []
    for try await something in service.all(pageSize: 2) { ids.append(something.id) }
    #expect(ids == [0, 1, 2, 3, 4])
    #expect(fake.listSomethings.requests.map(\.skip) == [0, 1, 2, 3, 4], "pages overlap by an item")
  }
}
