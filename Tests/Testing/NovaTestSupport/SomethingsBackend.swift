import NovaCore
import NovaTesting

/// A stand-in for the somethings backend that is known to exist (FastAPI and pydantic), on a real socket: it reads
/// requests in snake_case only, leaves out what it does not know, answers in lowerCamelCase with a field more than the
/// contract has, writes times with microseconds, and says what is wrong in `detail`.
public final class SomethingsBackend: Sendable {
  /// The token that it accepts.
  public static let token = "somethings-token"
  /// The token's user.
  public static let user = "somethings-user"

  private struct State {
    var somethings: [Int64: JSONValue] = [:]
    var nextID: Int64 = 1
  }

  private let state = Locked(State())

  public init() {}

  /// Runs `body` with the URL of a backend.
  public static func run<Result: Sendable>(
    _ body: (_ url: String, _ server: SomethingsBackend) async throws -> Result
  ) async throws -> Result {
    let backend = SomethingsBackend()
    return try await withRawServer({ connection in
      while let request = try connection.readRequest() {
        let (status, json) = backend.answer(request)
        let body = json.map(\.jsonUTF8) ?? []
        try connection.respond(status, headers: body.isEmpty ? [] : ["Content-Type: application/json"], body: body)
      }
    }) { try await body($0.url(""), backend) }
  }

  /// How many things there are.
  public var count: Int { state.withLock { $0.somethings.count } }

  private typealias Answer = (status: String, json: JSONValue?)

  private func answer(_ request: RawRequest) -> Answer {
    let words = request.requestLine.split(separator: " ")
    guard words.count > 1 else { return Self.detail("400 Bad Request", "Bad Request") }
    let (verb, target) = (String(words[0]), words[1])
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.prefix(3).elementsEqual(["api", "v1", "somethings"]) else { return Self.unknownPath }
    let rest = path.dropFirst(3).map(String.init)
    let query = Dictionary(
      PercentEncoding.pairs(String(target.drop { $0 != "?" }.dropFirst())).map { ($0.name, $0.value) }
    ) { $1 }
    let route: (() -> Answer)? =
      switch (verb, rest.count) {
      case ("POST", 0): { self.create(request.body) }
      case ("GET", 0): { self.list(query) }
      case ("GET", 1): { self.with(rest[0]) { _, something in ("200 OK", something) } }
      case ("DELETE", 1): { self.with(rest[0]) { self.delete($0) } }
      case ("PATCH", 2) where rest[1] == "meaning":
        { self.with(rest[0]) { self.change($0, from: $1, with: request.body) } }
      case (_, 0), (_, 1): nil
      case (_, 2) where rest[1] == "meaning": nil
      default: { Self.unknownPath }
      }
    guard let route else { return Self.detail("405 Method Not Allowed", "Method Not Allowed") }
    guard request.header("Authorization") == "Bearer \(Self.token)" else {
      return rest.count > 2 ? route() : Self.detail("401 Unauthorized", "Could not validate credentials")
    }
    return route()
  }

  private func create(_ body: [UInt8]) -> Answer {
    guard let json = try? JSONValue(jsonUTF8: body), case .object = json else { return Self.brokenBody }
    for name in ["content", "content_type", "media_url"] where !Self.isTextOrNothing(json[name]) {
      return Self.invalid(["body", name], "Input should be a valid string", type: "string_type")
    }
    if let content = json["content"]?.stringValue, !(1...10_000).contains(content.count) {
      return Self.invalid(["body", "content"], "String should have 1 to 10000 characters", type: "string_length")
    }
    // Ignored fields get default values: this is how an image becomes text.
    let type = json["content_type"]?.stringValue ?? "text"
    guard ["text", "image", "video", "url"].contains(type) else {
      return Self.invalid(["body", "content_type"], "Input should be 'text', 'image', 'video' or 'url'", type: "enum")
    }
    return state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      let time = JSONValue.string("2026-11-22T02:41:54.151632Z")
      let something = JSONValue.object([
        .init(name: "id", value: .number("\(id)")), .init(name: "userId", value: .string(Self.user)),
        .init(name: "content", value: json["content"] ?? .null), .init(name: "contentType", value: .string(type)),
        .init(name: "mediaUrl", value: json["media_url"] ?? .null), .init(name: "meaning", value: .null),
        .init(name: "isMeaningUserEdited", value: .bool(false)), .init(name: "noveltyScore", value: .null),
        .init(name: "createdAt", value: time), .init(name: "updatedAt", value: time),
        .init(name: "suggestedCircles", value: .array([])),
      ])
      state.somethings[id] = something
      return ("201 Created", something)
    }
  }

  private func list(_ query: [String: String]) -> Answer {
    let (skip, limit) = (Int(query["skip"] ?? "0"), Int(query["limit"] ?? "50"))
    guard let skip, skip >= 0 else {
      return Self.invalid(["query", "skip"], "Input should be greater than or equal to 0", type: "greater_than_equal")
    }
    guard let limit, (1...100).contains(limit) else {
      return Self.invalid(["query", "limit"], "Input should be from 1 to 100", type: "less_than_equal")
    }
    let all = state.withLock { state in state.somethings.sorted { $0.key > $1.key }.map(\.value) }
    return ("200 OK", .array(Array(all.dropFirst(skip).prefix(limit))))
  }

  private func change(_ id: Int64, from something: JSONValue, with body: [UInt8]) -> Answer {
    guard let json = try? JSONValue(jsonUTF8: body), case .object(var members) = something, case .object = json else {
      return Self.brokenBody
    }
    guard let meaning = json["meaning"]?.stringValue else {
      return Self.invalid(["body", "meaning"], "Field required", type: "missing")
    }
    let changes: [String: JSONValue] = ["meaning": .string(meaning), "isMeaningUserEdited": .bool(true)]
    members = members.map { .init(name: $0.name, value: changes[$0.name] ?? $0.value) }
    state.withLock { $0.somethings[id] = .object(members) }
    return ("200 OK", .object(members))
  }

  private func delete(_ id: Int64) -> Answer {
    state.withLock { $0.somethings[id] = nil }
    return ("204 No Content", nil)
  }

  private func with(_ text: String, _ body: (Int64, JSONValue) -> Answer) -> Answer {
    guard let id = Int64(text) else {
      return Self.invalid(["path", "something_id"], "Input should be a valid integer", type: "int_parsing")
    }
    guard let something = state.withLock({ $0.somethings[id] }) else {
      return Self.detail("404 Not Found", "Something not found")
    }
    return body(id, something)
  }

  private func with(_ text: String, _ body: (Int64) -> Answer) -> Answer { with(text) { id, _ in body(id) } }

  private static func isTextOrNothing(_ value: JSONValue?) -> Bool {
    value == nil || value == .null || value?.stringValue != nil
  }

  private static let unknownPath = detail("404 Not Found", "Not Found")
  private static let brokenBody = invalid(["body"], "JSON decode error", type: "json_invalid")

  private static func detail(_ status: String, _ text: String) -> Answer {
    (status, .object([.init(name: "detail", value: .string(text))]))
  }

  private static func invalid(_ place: [String], _ message: String, type: String) -> Answer {
    let problem = JSONValue.object([
      .init(name: "type", value: .string(type)), .init(name: "loc", value: .array(place.map(JSONValue.string))),
      .init(name: "msg", value: .string(message)),
    ])
    return ("422 Unprocessable Entity", .object([.init(name: "detail", value: .array([problem]))]))
  }
}
