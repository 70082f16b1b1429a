import NovaAuth
import NovaCapture
import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMock

/// Meanings and novelty scores of the mock backend.
@Suite(.hangLimit) struct MeaningTests {
  private static let texts = [
    "The light this morning.", "x", "Wörter: 猫, 🍞!", String(repeating: "word ", count: 2000),
    String(repeating: "e\u{301}", count: 10_000), "\"quoted\"\nand\tmore", "I",
  ]

  private func create(_ mock: MockCaller, _ text: String, token: String? = nil) throws -> Something {
    try mock.call(CaptureRPC.createSomething, CreateSomethingRequest(content: text, contentType: .text), token: token)
  }

  private func get(_ mock: MockCaller, _ id: Int64) throws -> Something {
    try mock.call(CaptureRPC.getSomething, GetSomethingRequest(id: id))
  }

  @Test func byDefaultThereIsNone() throws {
    let mock = MockCaller()
    let something = try create(mock, "A walk")
    mock.advance(seconds: 100_000)
    #expect(try get(mock, something.id) == something)
    #expect(something.meaning == nil && something.noveltyScore == nil)
    #expect(something.createdAt == Timestamp(seconds: MockCaller.start))
  }

  @Test(arguments: texts) func atCreationTheResponseHasThem(_ text: String) throws {
    let mock = MockCaller(meanings: .created)
    let something = try create(mock, text)
    let meaning = try #require(something.meaning)
    #expect(meaning.hasSuffix(".") && meaning.count > 10 && meaning.count <= 120, "\(meaning)")
    #expect((0...1).contains(try #require(something.noveltyScore)) && !something.isMeaningUserEdited)
    #expect(try get(mock, something.id) == something)
    #expect(mock.backend.recentEvents.map(\.type) == ["something.created"])
  }

  @Test(arguments: [MockMeanings.created, .later()]) func theSameRequestsGiveTheSameBytes(_ meanings: MockMeanings)
    throws
  {
    func bytes(seed: UInt64) throws -> [[UInt8]] {
      let mock = MockCaller(seed: seed, meanings: meanings)
      return try Self.texts.flatMap { text in
        let body = try CreateSomethingRequest(content: text).jsonUTF8(ProtoJSONOptions(names: .lowerCamelCase))
        let created = mock.backend.respond(to: HTTPRequest(method: .post, url: "/api/v1/somethings", body: body))
        mock.advance(seconds: 2)
        let read = mock.backend.respond(to: HTTPRequest(method: .get, url: "/api/v1/somethings"))
        return [created.body.inMemory, read.body.inMemory]
      }
    }
    #expect(try bytes(seed: 1) == bytes(seed: 1))
    #expect(try bytes(seed: 1) != bytes(seed: 2))
  }

  /// A missing meaning is not an error: a real backend's model can fail.
  @Test(arguments: [MockMeanings.created, .later()]) func withoutWordsThereIsNothingToFind(_ meanings: MockMeanings)
    throws
  {
    let mock = MockCaller(meanings: meanings)
    let image = try mock.call(
      CaptureRPC.createSomething, CreateSomethingRequest(contentType: .image, mediaUrl: "https://cdn.example/a.jpg"))
    let dots = try create(mock, "...")
    mock.advance(seconds: 10)
    for id in [image.id, dots.id] {
      let something = try get(mock, id)
      #expect(something.meaning == nil && something.noveltyScore == nil)
    }
    #expect(mock.backend.recentEvents.map(\.type) == ["something.created", "something.created"])
  }

  // MARK: Later

  @Test(arguments: [1, 2, 3600] as [Int64]) func laterTheyAreWritten(seconds: Int64) throws {
    let mock = MockCaller(meanings: .later(seconds: seconds))
    let something = try create(mock, "A walk")
    #expect(something.meaning == nil && something.noveltyScore == nil)
    mock.advance(seconds: seconds - 1)
    #expect(try get(mock, something.id) == something)
    mock.advance(seconds: 1)
    let found = try get(mock, something.id)
    #expect(found.meaning?.contains("A walk") == true && found.noveltyScore != nil && !found.isMeaningUserEdited)
    #expect(found.updatedAt?.seconds == MockCaller.start + seconds && found.createdAt == something.createdAt)
    let events = mock.backend.recentEvents
    #expect(events.map(\.type) == ["something.created", "something.meaning"])
    #expect(events.last?.somethingId == something.id && events.last?.text == found.meaning)
    #expect(events.last?.createdAt == MockCaller.start + seconds)
    mock.advance(seconds: seconds * 2)
    #expect(try get(mock, something.id) == found, "once")
    #expect(mock.backend.recentEvents.count == 2)
  }

  /// Waits of zero seconds and of many years are limited to what a clock can add.
  @Test(arguments: [(.min, 1), (0, 1), (.max, 86_400)] as [(Int64, Int64)])
  func waitsAreBounded(seconds: Int64, wait: Int64) throws {
    let mock = MockCaller(meanings: .later(seconds: seconds))
    let something = try create(mock, "A walk")
    mock.advance(seconds: wait - 1)
    #expect(try get(mock, something.id).meaning == nil)
    mock.advance(seconds: 1)
    #expect(try get(mock, something.id).meaning != nil)
  }

  @Test func theUsersMeaningStays() throws {
    let mock = MockCaller(meanings: .later())
    let something = try create(mock, "A walk")
    let mine = try mock.call(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: something.id, meaning: "Calm"))
    mock.advance(seconds: 60)
    #expect(try get(mock, something.id) == mine)
    let second = try create(mock, "Another")
    mock.advance(seconds: 2)
    let edited = try mock.call(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: second.id, meaning: "Mine"))
    #expect(edited.meaning == "Mine" && edited.isMeaningUserEdited && edited.noveltyScore != nil)
    let types = mock.backend.recentEvents.map(\.type)
    #expect(types.filter { $0 == "something.meaning" }.count == 3, "the user's, the backend's, the user's: \(types)")
  }

  @Test func whatIsDeletedGetsNone() throws {
    let mock = MockCaller(meanings: .later())
    let something = try create(mock, "A walk")
    _ = try mock.call(CaptureRPC.deleteSomething, DeleteSomethingRequest(id: something.id))
    mock.advance(seconds: 60)
    #expect(try mock.call(CaptureRPC.listSomethings, ListSomethingsRequest()).somethings.isEmpty)
    #expect(mock.backend.recentEvents.map(\.type) == ["something.created"])
  }

  /// A reader of events gets it, although no other call is made.
  @Test func whoWaitsGetsTheEvent() async throws {
    let (mock, clock) = (MockCaller(meanings: .later()), ManualClock())
    let token = try mock.signUp()
    var request = HTTPRequest(
      method: .get, url: "/api/v1/events/stream?topics=me", headers: ["Authorization": "Bearer \(token)"])
    request.streamsResponse = true
    let response = try await mock.backend.answer(request, clock: clock)
    let reader = Task { try await EventStream(response).events(2).map(\.type) }
    _ = try create(mock, "A walk", token: token)
    mock.advance(seconds: 2)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(try await reader.value == ["something.created", "something.meaning"])
  }

  /// The event is there for the call that asks for events.
  @Test func listsOfEventsHaveIt() throws {
    let mock = MockCaller(meanings: .later())
    let token = try mock.signUp()
    let before = mock.backend.eventPosition
    _ = try create(mock, "A walk", token: token)
    mock.advance(seconds: 2)
    let events = try mock.call(EventRPC.listEvents, ListEventsRequest(topics: ["me"], after: before), token: token)
    #expect(events.events.map(\.type) == ["something.created", "something.meaning"])
  }

  // MARK: Times and nulls

  @Test(arguments: [MockMeanings.created, .later()]) func responsesHaveTheFormOfTheRealBackend(_ meanings: MockMeanings)
    throws
  {
    let mock = MockCaller(meanings: meanings)
    _ = try create(mock, "A walk")
    _ = try mock.call(
      CaptureRPC.createSomething, CreateSomethingRequest(contentType: .url, mediaUrl: "https://x.example"))
    let list = mock.backend.respond(to: HTTPRequest(method: .get, url: "/api/v1/somethings"))
    let elements = try #require(try JSONValue(jsonUTF8: list.body.inMemory).elements)
    let link = mock.backend.respond(to: HTTPRequest(method: .get, url: "/api/v1/somethings/2"))
    for json in try elements + [JSONValue(jsonUTF8: link.body.inMemory)] {
      #expect(json.memberList?.map(\.name) == Something.descriptor.fields.map(\.jsonName))
      for name in ["createdAt", "updatedAt"] {
        let time = try #require(json[name]?.stringValue)
        #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z/#) != nil, "\(time)")
      }
    }
    #expect(elements.first?["content"] == .null && elements.first?["meaning"] == .null)
    #expect(elements.first?["noveltyScore"] == .null && elements.last?["mediaUrl"] == .null)
    let deleted = mock.backend.respond(to: HTTPRequest(method: .delete, url: "/api/v1/somethings/2"))
    #expect(deleted.status == 204 && deleted.body.inMemory.isEmpty)
  }

  @Test func laterCapturesAreNotEarlier() throws {
    let mock = MockCaller(meanings: .created)
    let times = try (0..<300).map { try #require(try create(mock, "\($0)").createdAt) }
    #expect(times.map(\.seconds).allSatisfy { $0 == MockCaller.start })
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    for id in 1...300 as ClosedRange<Int64> {
      let changed = try mock.call(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: id, meaning: "x"))
      #expect(try #require(changed.createdAt) <= #require(changed.updatedAt))
    }
  }

  // MARK: State

  @Test func snapshotsAndResetsHaveTheirOwn() throws {
    let mock = MockCaller(meanings: .later())
    let something = try create(mock, "A walk")
    let snapshot = mock.backend.snapshot()
    mock.advance(seconds: 2)
    #expect(try get(mock, something.id).meaning != nil)
    mock.backend.restore(snapshot)
    #expect(try get(mock, something.id).meaning != nil, "it is due in that state, too")
  }

  /// A journal says for each capture when its meaning was to be found: the option of the next process changes nothing.
  @Test(arguments: [MockMeanings.off, .created, .later(), .later(seconds: 5)], [MockMeanings.off, .created, .later()])
  func aJournalRestoresThem(_ meanings: MockMeanings, then: MockMeanings) throws {
    let (mock, journal) = (MockCaller(meanings: meanings), Lines())
    mock.backend.attach(journal)
    let something = try create(mock, "A walk")
    mock.advance(seconds: 3)
    _ = try create(mock, "A second one")
    _ = try mock.call(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: something.id, meaning: "Calm"))
    mock.advance(seconds: 10)
    let copy = MockCaller(meanings: then)
    for line in journal.lines { try copy.backend.replay(line) }
    copy.advance(seconds: 13)
    for id in 1...2 as ClosedRange<Int64> { #expect(try get(copy, id) == get(mock, id)) }
    #expect(journal.lines.allSatisfy { String(decoding: $0, as: UTF8.self).contains("meanings") == (meanings != .off) })
  }

  @Test(arguments: [#""x""#, "-1", "1.5", "null", "true"]) func damagedLinesAreReported(_ value: String) {
    let line = #"{"t":1750000000,"rpc":"capture.CreateSomething","meanings":\#(value),"body":{"content":"x"}}"#
    #expect(throws: MockJournalError.self) { try MockBackend().replay(Array(line.utf8)) }
  }

  private final class Lines: MockJournal {
    private let all = Locked<[[UInt8]]>([])
    var lines: [[UInt8]] { all.withLock { $0 } }

    func append(_ line: [UInt8]) -> Int64 {
      all.withLock { $0.append(line) }
      return 1
    }
    func waitUntilDurable(_ position: Int64) {}
    func removeAll() -> Int64 { 1 }
  }
}

extension MockCaller {
  /// Registers a user, and returns the token.
  fileprivate func signUp() throws -> String {
    try call(
      AuthRPC.register, RegisterRequest(email: "ann@example.com", username: "ann", password: "a good password")
    ).token
  }
}
