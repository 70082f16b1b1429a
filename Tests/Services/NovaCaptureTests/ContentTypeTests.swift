import Foundation
import NovaCapture
import NovaCore
import Testing

/// A text with known values in every form that it has.
@Suite struct ContentTypeTests {
  private static let values = ContentType.allCases + ["", "audio", "TEXT", "text ", "ü\u{301}🍞", "\"quoted\""]

  @Test(arguments: values) func valuesAreKept(_ value: ContentType) throws {
    let something = Something(id: 1, contentType: value)
    #expect(try Something(jsonUTF8: something.jsonUTF8()) == something)
    let encoded = try JSONEncoder().encode(something)
    #expect(try JSONDecoder().decode(Something.self, from: encoded).contentType == value)
    #expect(try JSONDecoder().decode([ContentType].self, from: JSONEncoder().encode([value])) == [value])
    #expect(ContentType(rawValue: value.rawValue) == value && "\(value)" == value.rawValue)
  }

  @Test func inJSONItIsAString() throws {
    #expect(String(decoding: try JSONEncoder().encode([ContentType.image]), as: UTF8.self) == #"["image"]"#)
    let request = CreateSomethingRequest(contentType: .url, mediaUrl: "https://x.example")
    let text = String(decoding: try request.jsonUTF8(ProtoJSONOptions(names: .lowerCamelCase)), as: UTF8.self)
    #expect(text == #"{"contentType":"url","mediaUrl":"https://x.example"}"#)
    #expect(CreateSomethingRequest().contentType.isEmpty)
    let empty = try CreateSomethingRequest().jsonUTF8(ProtoJSONOptions(includesDefaults: false))
    #expect(String(decoding: empty, as: UTF8.self) == "{}", "absent by default")
  }

  @Test(arguments: ["7", "true", "{}", "[]"]) func otherJSONIsRefused(_ json: String) {
    #expect(throws: ProtoJSONError.self) { try Something(jsonUTF8: Array(#"{"contentType":\#(json)}"#.utf8)) }
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Something.self, from: Data(#"{"contentType":\#(json)}"#.utf8))
    }
  }

  @Test func nullIsAbsent() throws {
    let json = Array(#"{"id":1,"contentType":null}"#.utf8)
    #expect(try Something(jsonUTF8: json).contentType == "")
    #expect(try JSONDecoder().decode(Something.self, from: Data(json)).contentType == "")
  }

  @Test func knownValuesAreSwitchedOver() {
    let words = Self.values.map { value in
      switch value {
      case .text: "a text"
      case .image, .video: "media"
      case .url: "a link"
      default: "something else"
      }
    }
    #expect(words.prefix(4) == ["a text", "media", "media", "a link"])
    #expect(words.dropFirst(4).allSatisfy { $0 == "something else" })
  }

  // MARK: Samples

  /// As the backend sends it: explicit nulls, fractions of a second, and a field that the contract does not have.
  static let samples = [
    """
    {"id": 123, "userId": "uuid-string", "content": "My thought", "contentType": "text", "mediaUrl": null,
     "meaning": "AI-generated meaning", "isMeaningUserEdited": false, "noveltyScore": 0.75,
     "createdAt": "2025-12-07T12:34:56.789Z", "updatedAt": "2025-12-07T12:34:56.789Z"}
    """,
    """
    {"id": 124, "userId": "uuid-string", "content": null, "contentType": "image",
     "mediaUrl": "https://cdn.example/a.jpg", "meaning": null, "isMeaningUserEdited": false, "noveltyScore": null,
     "createdAt": "2026-11-22T02:41:54.151632Z", "updatedAt": "2026-11-22T02:41:54.151632Z", "suggestedCircles": []}
    """,
    """
    {"id": 125, "userId": "uuid-string", "content": "x", "contentType": "hologram", "mediaUrl": null, "meaning": null,
     "isMeaningUserEdited": true, "noveltyScore": 1, "createdAt": "2025-12-07T12:34:56Z",
     "updatedAt": "2025-12-07T13:34:56.7+01:00", "suggestedCircles": [{"id": 1, "name": "Family"}]}
    """,
  ]

  @Test(arguments: samples) func whatTheBackendSendsIsRead(_ sample: String) throws {
    let ours = try Something(jsonUTF8: Array(sample.utf8))
    let decoder = JSONDecoder()
    #expect(try decoder.decode(Something.self, from: Data(sample.utf8)) == ours)
    // A strategy for dates does not matter: times are not Foundation's.
    decoder.dateDecodingStrategy = .iso8601
    #expect(try decoder.decode(Something.self, from: Data(sample.utf8)) == ours)
    #expect(try decoder.decode([Something].self, from: Data("[\(sample)]".utf8)) == [ours])
    #expect(ours.id >= 123 && ours.userId == "uuid-string")
  }

  @Test func theirValuesAreRight() throws {
    let all = try Self.samples.map { try Something(jsonUTF8: Array($0.utf8)) }
    #expect(all.map(\.contentType) == [.text, .image, "hologram"])
    #expect(all.map(\.meaning) == ["AI-generated meaning", nil, nil] && all.map(\.noveltyScore) == [0.75, nil, 1])
    #expect(all.map(\.content) == ["My thought", nil, "x"])
    #expect(all.map(\.mediaUrl) == [nil, "https://cdn.example/a.jpg", nil])
    #expect(all.map { $0.createdAt?.nanoseconds } == [789_000_000, 151_632_000, 0])
    #expect(all[2].updatedAt == Timestamp(seconds: 1_765_110_896, nanoseconds: 700_000_000))
  }
}
