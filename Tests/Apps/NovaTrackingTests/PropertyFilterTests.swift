import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

@Suite struct PropertyFilterTests {
  @Test func nothingPassesUnlessItIsListed() {
    let filter = PropertyFilter(allowed: ["source", "token", "userPassword", "", String(repeating: "k", count: 65)])
    let properties = [
      "source": "feed", "Source": "feed", "text": "hello", "token": "abc", "userPassword": "x", "": "empty",
      String(repeating: "k", count: 65): "long",
    ]
    #expect(filter.allowed(properties) == ["source": "feed"])
    #expect(PropertyFilter(allowed: []).allowed(properties).isEmpty)
  }

  @Test(arguments: ["x", "é", "👩‍👩‍👧"]) func valuesAreCut(_ character: String) {
    let filter = PropertyFilter(allowed: ["source"])
    for (count, expected) in [(999, 999), (1000, 1000), (1001, 1000), (5000, 1000)] {
      let kept = filter.allowed(["source": String(repeating: character, count: count)])
      #expect(kept["source"]?.count == expected)
    }
  }

  @Test func fiftyPropertiesAreKept() {
    let names = (100..<160).map { "key_\($0)" }
    let properties = Dictionary(uniqueKeysWithValues: names.map { ($0, "v") })
    #expect(PropertyFilter(allowed: Set(names)).allowed(properties).keys.sorted() == Array(names.prefix(50)))
  }

  @Test(arguments: [
    "ada@example.com", "Write to ada.lovelace@mail.example!", "ada%40example.com", "ą@ę", "https://ada:pw@example.com/",
    "https://example.com/?q=secret", "HTTP://example.com/a?b", "/search?q=ada", "Bearer abc", "authorization: bearer x",
    "Basic dXNlcjpwYXNz", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "0123456789abcdef0123456789abcdef",
    "token=sk_live_51HxYzAbCdEfGhIjKlMnOpQrSt", "x 3f8e1c77b2a94d10bd0e5a6c9f1e2d3c4b5a6978 y",
  ])
  func personalTextIsRemoved(_ value: String) {
    var event = AnalyticsEvent(properties: ["a": value, "b": "feed"])
    #expect(PropertyFilter.removePersonalText(from: &event, secrets: nil) == 1)
    #expect(event.properties == ["b": "feed"])
  }

  @Test(arguments: [
    "", "a", "feed", "profile", "post-1", "3", "1764583200000", "12.5", "true", "en_US", "https://example.com/a/b",
    "What now?", "7d3f2c1a-0b4e-4c5d-8e9f-a0b1c2d3e4f5", "@ home", "user-0001", "5 @ 3", "100%", "50%40",
    "basic", "this_is_a_very_long_name_of_a_screen_without_digits",
  ])
  func ordinaryValuesStay(_ value: String) {
    // `50%40` could be an address only if a word followed.
    #expect(!PersonalText.isLikely(value), "\(value)")
  }

  /// The token of the client is recognized in every encoding that the SDK masks in logs.
  @Test(arguments: 0..<5) func noSpellingOfTheTokenPasses(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let token = SecretSpellings.token(using: &generator)
    let redactor = SecretRedactor([token])
    for spelled in SecretSpellings.all(of: token, using: &generator) {
      var event = AnalyticsEvent(properties: ["a": "before \(spelled.text) after"])
      #expect(PropertyFilter.removePersonalText(from: &event, secrets: redactor) == 1, "\(spelled.name)")
      #expect(event.properties.isEmpty)
    }
  }

  @Test func theTokenOfTheClientIsLeftOut() async throws {
    let scene = try TrackerScene()
    let account = try Account("ada", token: Canary.secret)
    let (tracker, client) = try scene.connected(account)
    tracker.track("event", properties: ["source": "x \(Canary.secret) y", "screen": "profile", "text": "private"])
    await tracker.flush()
    #expect(scene.gateway.events.map(\.properties) == [["screen": "profile"]])
    #expect(await tracker.status.droppedPropertyCount == 2)
    for name in ["analytics.db", "analytics.db-wal"] {
      let bytes = (try? scene.folder.bytes("analytics/\(name)")) ?? []
      #expect(Canary.leaks(in: String(decoding: bytes, as: UTF8.self)).isEmpty)
    }
    withExtendedLifetime(client) {}
  }
}
