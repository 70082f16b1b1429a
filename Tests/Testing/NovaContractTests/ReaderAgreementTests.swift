import NovaCore
import NovaMock
import NovaRegistry
import NovaTesting
import Testing

@testable import NovaContract

/// The check calls unreadable exactly what the SDK refuses to read: compared with values
/// of all kinds in every place of real answers.
@Suite struct ReaderAgreementTests {
  private static let junk: [JSONValue] = [
    .null, .bool(true), .string(""), .string("5"), .string("5.5"), .string("abc"), .string("NaN"),
    .string("2025-12-01T10:00:00Z"), .string("2025-12-01 10:00:00"), .number("5"), .number("-1"), .number("5.0"),
    .number("5.5"), .number("5e1"), .number("3000000000"), .number("5000000000"), .number("1e400"),
    .number("99999999999999999999"), .array([]), .array([.null]), .array([.string("a")]), .array([.number("1")]),
    .object([]), .object([.init(name: "x", value: .number("1"))]), .object([.init(name: "x", value: .null)]),
    .object([.init(name: "id", value: .string("a")), .init(name: "id", value: .string("b"))]),
  ]

  private static let requests: [(rpc: String, json: String)] = [
    ("graph.GetFollowers", #"{"user_id":"mock-user-id","limit":2}"#),
    ("graph.BatchCheckFollowing", #"{"follower_id":"mock-user-id","followee_ids":["user-0001","user-0002"]}"#),
    ("content.GetPostsByAuthor", #"{"author_id":"mock-user-id","limit":2}"#),
    ("social.BatchGetPostStats", #"{"post_ids":["post-1"]}"#),
    ("social.GetComments", #"{"post_id":"post-240","limit":2}"#),
    ("feed.GetFeed", #"{"user_id":"mock-user-id","limit":2}"#),
    ("user.GetUserProfile", #"{"user_id":"mock-user-id"}"#),
    ("user.GetUserSettings", #"{"user_id":"mock-user-id"}"#),
    ("announcements.ListAnnouncements", "{}"),
    ("capture.CreateSomething", #"{"content":"x","contentType":"text"}"#),
  ]

  @Test(arguments: requests.map(\.rpc)) func theCheckAndTheReaderAgree(_ name: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: name))
    let json = try #require(Self.requests.first { $0.rpc == name }?.json)
    let parts = try HTTPTranscoder.request(try rpc.requestType.init(jsonUTF8: Array(json.utf8)), rpc.http)
    let response = MockBackend().respond(
      to: HTTPRequest(method: rpc.http.method, url: HTTPURL(received: parts.target), body: parts.body))
    let answer = try JSONValue(jsonUTF8: response.body.inMemory)
    var count = 0
    for place in 0..<answer.placeCount {
      for value in Self.junk {
        var rest = place
        let changed = answer.replacing(&rest, by: value)
        let body = changed.jsonUTF8
        #expect(
          isCalledUnreadable(changed, rpc) == isRefused(body, rpc), "\(String(decoding: body, as: UTF8.self))")
        count += 1
      }
    }
    #expect(count > 50)
  }

  private func isCalledUnreadable(_ value: JSONValue, _ rpc: RPCDescriptor) -> Bool {
    var check = MessageCheck(RPCRegistry.nova, rpc.http)
    check.checkBody(value, of: rpc.responseType)
    let kinds: Set<ContractDifference.Kind> = [.wrongType, .outOfRange, .repeatedField, .nullValue]
    return check.findings.contains { $0.grade == .breaking && kinds.contains($0.kind) }
  }

  private func isRefused(_ body: [UInt8], _ rpc: RPCDescriptor) -> Bool {
    do {
      _ = try HTTPTranscoder.response(rpc.responseType, from: body, rpc.http) as any ProtoMessage
      return false
    } catch {
      return true
    }
  }
}

extension JSONValue {
  /// How many values there are, this one and those inside.
  fileprivate var placeCount: Int {
    switch self {
    case .object(let members): 1 + members.reduce(0) { $0 + $1.value.placeCount }
    case .array(let elements): 1 + elements.reduce(0) { $0 + $1.placeCount }
    default: 1
    }
  }

  /// The value with another one in the place of this number, counted from the outside.
  fileprivate func replacing(_ place: inout Int, by value: JSONValue) -> JSONValue {
    place -= 1
    if place == -1 { return value }
    if place < -1 { return self }
    switch self {
    case .object(let members):
      return .object(members.map { Member(name: $0.name, value: $0.value.replacing(&place, by: value)) })
    case .array(let elements): return .array(elements.map { $0.replacing(&place, by: value) })
    default: return self
    }
  }
}
