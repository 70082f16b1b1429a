import NovaContract
import NovaCore
import NovaTesting
import Testing

/// A defect of a gateway, and the differences that the check must find.
struct WrongCase: Sendable, CustomTestStringConvertible {
  let name: String
  let path: String
  let change: WrongGateway.Change
  /// `grade kind path` of each difference that must be found.
  let expected: Set<String>

  var testDescription: String { name }

  init(_ name: String, _ path: String, expected: Set<String>, change: @escaping WrongGateway.Change) {
    self.name = name
    self.path = path
    self.change = change
    self.expected = expected
  }
}

@Suite struct WrongGatewayTests {
  private static let followers = "/api/v1/graph/followers"
  private static let posts = "/api/v1/content/posts/author"
  private static let post = "/api/v1/content/post"
  private static let likeCount = "/api/v1/social/likes/count"
  private static let something = "/api/v1/somethings"

  static let names: [WrongCase] = [
    WrongCase(
      "a list is renamed", followers, expected: ["breaking renamed user_ids", "breaking inconsistent total_count"],
      change: WrongGateway.member("user_ids") { [.init(name: "user_id_list", value: $0)] }),
    WrongCase(
      "a list is renamed beyond recognition", followers,
      expected: ["tolerated missing user_ids", "additive unknownField items", "breaking inconsistent total_count"],
      change: WrongGateway.member("user_ids") { [.init(name: "items", value: $0)] }),
    WrongCase(
      "an id is renamed", posts, expected: ["breaking renamed posts[].id"],
      change: WrongGateway.member("id") { [.init(name: "post_id", value: $0)] }),
    WrongCase(
      "a count is renamed", likeCount, expected: ["breaking renamed count"],
      change: WrongGateway.member("count") { [.init(name: "like_count", value: $0)] }),
    WrongCase(
      "lowerCamelCase", posts,
      expected: [
        "tolerated nameStyle totalCount", "tolerated nameStyle hasMore", "tolerated nameStyle posts[].creatorId",
        "tolerated nameStyle posts[].createdAt", "tolerated nameStyle posts[].updatedAt",
        "tolerated nameStyle posts[].mediaIds",
      ], change: WrongGateway.json(\.camelCased)),
    WrongCase(
      "snake_case where it should be lowerCamelCase", something,
      expected: ["tolerated nameStyle content_type", "tolerated nameStyle [].content_type"],
      change: WrongGateway.member("contentType") { [.init(name: "content_type", value: $0)] }),
    WrongCase(
      "an alias", "/api/v1/content/bookmarks", expected: ["tolerated alias total_count"],
      change: WrongGateway.member("total") { [.init(name: "total_count", value: $0)] }),
    WrongCase(
      "a field is added", followers, expected: ["additive unknownField request_cost"],
      change: WrongGateway.json { $0.adding("request_cost", .number("3")) }),
    WrongCase(
      "a field is there twice", likeCount, expected: ["breaking repeatedField count"],
      change: WrongGateway.text { $0.replacing("}", with: #","count":1}"#) }),
  ]

  static let numbers: [WrongCase] = [
    WrongCase(
      "an int64 is a whole float", likeCount, expected: ["tolerated numberForm count"],
      change: WrongGateway.member("count") { _ in [.init(name: "count", value: .number("1.0"))] }),
    WrongCase(
      "an int64 is a float", likeCount, expected: ["breaking outOfRange count"],
      change: WrongGateway.member("count") { _ in [.init(name: "count", value: .number("1.5"))] }),
    WrongCase(
      "an int64 is a string", likeCount, expected: ["tolerated int64Form count"],
      change: WrongGateway.member("count") { _ in [.init(name: "count", value: .string("1"))] }),
    WrongCase(
      "an int64 is too large", likeCount, expected: ["breaking outOfRange count"],
      change: WrongGateway.member("count") { _ in [.init(name: "count", value: .number("9223372036854775808"))] }),
    WrongCase(
      "an int32 is a string", followers, expected: ["tolerated numberForm total_count"],
      change: WrongGateway.member("total_count") {
        [.init(name: "total_count", value: .string("\($0.integerValue ?? 0)"))]
      }),
    WrongCase(
      "an int32 is too large", followers, expected: ["breaking outOfRange total_count"],
      change: WrongGateway.member("total_count") { _ in [.init(name: "total_count", value: .number("2147483648"))] }),
    WrongCase(
      "a total is too small", posts, expected: ["breaking inconsistent total_count"],
      change: WrongGateway.member("total_count") { _ in [.init(name: "total_count", value: .number("0"))] }),
    WrongCase(
      "Unix seconds are ISO 8601", post, expected: ["tolerated timestampForm post.created_at"],
      change: WrongGateway.member("created_at") { _ in
        [.init(name: "created_at", value: .string("2025-12-01T10:00:00Z"))]
      }),
    WrongCase(
      "Unix seconds are milliseconds", post, expected: ["breaking outOfRange post.created_at"],
      change: WrongGateway.member("created_at") { _ in [.init(name: "created_at", value: .number("1764583200000"))] }),
    WrongCase(
      "a time is words", post, expected: ["breaking wrongType post.created_at"],
      change: WrongGateway.member("created_at") { _ in [.init(name: "created_at", value: .string("yesterday"))] }),
    WrongCase(
      "a timestamp as databases write it", something,
      expected: ["tolerated timestampForm createdAt", "tolerated timestampForm [].createdAt"],
      change: WrongGateway.member("createdAt") { _ in [.init(name: "createdAt", value: .string("2025-12-01 10:00:00"))]
      }),
    WrongCase(
      "a timestamp is a number", something,
      expected: ["breaking wrongType createdAt", "breaking wrongType [].createdAt"],
      change: WrongGateway.member("createdAt") { _ in [.init(name: "createdAt", value: .number("1764583200"))] }),
    WrongCase(
      "a double is a string", "/api/v1/feed/rank", expected: ["tolerated numberForm ranked_posts[].score"],
      change: WrongGateway.member("score") { _ in [.init(name: "score", value: .string("0.5"))] }),
  ]

  static let values: [WrongCase] = [
    WrongCase(
      "has_more is dropped", followers, expected: ["tolerated missing has_more"],
      change: WrongGateway.member("has_more") { _ in [] }),
    WrongCase(
      "the feed's has_more is dropped", "/api/v1/feed",
      expected: ["tolerated missing has_more", "breaking inconsistent next_cursor"],
      change: WrongGateway.member("has_more") { _ in [] }),
    WrongCase(
      "a default is left out", "/api/v1/social/shares/count", expected: ["tolerated missing count"],
      change: WrongGateway.member("count") { _ in [] }),
    WrongCase(
      "an id is left out", posts, expected: ["breaking missing posts[].id"],
      change: WrongGateway.member("id") { _ in [] }),
    // Comments without their IDs are not the same comment again on the next page.
    WrongCase(
      "the ids of comments are null", "/api/v1/social/comments", expected: ["breaking missing comments[].id"],
      change: WrongGateway.member("id") { _ in [.init(name: "id", value: .null)] }),
    WrongCase(
      "a thing is left out", "/api/v1/users/profile", expected: ["breaking missing profile"],
      change: WrongGateway.json { _ in .object([]) }),
    WrongCase(
      "success is false", "/api/v1/graph/mute", expected: ["breaking missing success"],
      change: WrongGateway.member("success") { _ in [.init(name: "success", value: .bool(false))] }),
    WrongCase(
      "an error inside the answer", "/api/v1/graph/mute", expected: ["breaking status error"],
      change: WrongGateway.json {
        $0.adding(
          "error",
          .object([.init(name: "code", value: .string("NOT_FOUND")), .init(name: "message", value: .string("x"))]))
      }),
    WrongCase(
      "null for a list", followers, expected: ["tolerated nullValue user_ids", "breaking inconsistent total_count"],
      change: WrongGateway.member("user_ids") { _ in [.init(name: "user_ids", value: .null)] }),
    WrongCase(
      "null for a text", post, expected: ["tolerated nullValue post.title"],
      change: WrongGateway.member("title") { _ in [.init(name: "title", value: .null)] }),
    WrongCase(
      "null for an optional text is no difference", something, expected: [],
      change: WrongGateway.json { $0.adding("meaning", .null) }),
    WrongCase(
      "null inside a list", followers, expected: ["breaking nullValue user_ids[]"],
      change: WrongGateway.member("user_ids") { _ in [.init(name: "user_ids", value: .array([.null]))] }),
    WrongCase(
      "a list is a text", followers, expected: ["breaking wrongType user_ids"],
      change: WrongGateway.member("user_ids") { _ in [.init(name: "user_ids", value: .string("a,b"))] }),
    WrongCase(
      "an id is a number", followers, expected: ["breaking wrongType user_ids[]"],
      change: WrongGateway.member("user_ids") { _ in [.init(name: "user_ids", value: .array([.number("1")]))] }),
    WrongCase(
      "a bool is a number", "/api/v1/graph/is-muted", expected: ["breaking wrongType is_muted"],
      change: WrongGateway.member("is_muted") { _ in [.init(name: "is_muted", value: .number("1"))] }),
    WrongCase(
      "the answer is a list", likeCount, expected: ["breaking wrongType "], change: WrongGateway.json { .array([$0]) }),
  ]

  static let answers: [WrongCase] = [
    WrongCase(
      "truncated JSON", followers, expected: ["breaking notJSON "], change: WrongGateway.text { String($0.dropLast(3)) }
    ),
    WrongCase("no body", followers, expected: ["breaking notJSON "], change: WrongGateway.answers { $0.body = .empty }),
    WrongCase(
      "a page of HTML", followers, expected: ["breaking notJSON "],
      change: WrongGateway.answers {
        $0.headers["Content-Type"] = "text/html"
        $0.body = .bytes(Array("<html></html>".utf8))
      }),
    WrongCase(
      "JSON that says it is HTML", followers, expected: ["tolerated contentType "],
      change: WrongGateway.answers { $0.headers["Content-Type"] = "text/html; charset=utf-8" }),
    WrongCase(
      "no content type", followers, expected: ["tolerated contentType "],
      change: WrongGateway.answers { $0.headers["Content-Type"] = nil }),
    WrongCase(
      "200 for 201", something, expected: ["tolerated status "],
      change: WrongGateway.answers { if $0.status == 201 { $0.status = 200 } }),
    WrongCase(
      "500 for 200", likeCount, expected: ["breaking status "], change: WrongGateway.answers { $0.status = 500 }),
    WrongCase(
      "an empty answer for failures", followers, expected: [], change: WrongGateway.failures { $0.body = .empty }),
    WrongCase(
      "Nova's shape for failures is right", followers, expected: [],
      change: WrongGateway.failures {
        let code = $0.status == 404 ? "NOT_FOUND" : $0.status == 401 ? "UNAUTHENTICATED" : "X"
        $0.body = .bytes(Array(#"{"error":{"code":"\#(code)","message":"no"}}"#.utf8))
      }),
    WrongCase(
      "404 in another shape", "/api/v1/users/profile", expected: ["tolerated errorShape "],
      change: WrongGateway.failures { if $0.status == 404 { $0.body = .bytes(Array(#"{"detail":"Not Found"}"#.utf8)) } }
    ),
    WrongCase(
      "404 in the first gateway's shape is right", "/api/v1/users/profile", expected: [],
      change: WrongGateway.failures {
        guard $0.status == 404 else { return }
        $0.body = .bytes(Array(#"{"error":"no","code":5,"message":"no","details":[]}"#.utf8))
      }),
    WrongCase(
      "404 with the status as its code", "/api/v1/users/profile", expected: ["tolerated errorShape "],
      change: WrongGateway.failures {
        if $0.status == 404 { $0.body = .bytes(Array(#"{"code":404,"message":"no"}"#.utf8)) }
      }),
    WrongCase(
      "404 that says it is a page", "/api/v1/users/profile", expected: ["breaking errorShape page"],
      change: WrongGateway.failures { if $0.status == 404 { $0.headers["Content-Type"] = "text/html" } }),
    WrongCase(
      "404 as an empty page", "/api/v1/users/profile", expected: ["breaking errorShape page"],
      change: WrongGateway.failures {
        guard $0.status == 404 else { return }
        ($0.headers["Content-Type"], $0.body) = ("text/html", .empty)
      }),
    WrongCase(
      "has_more is always true", followers,
      expected: ["breaking inconsistent has_more", "tolerated inconsistent has_more"],
      change: WrongGateway.member("has_more") { _ in [.init(name: "has_more", value: .bool(true))] }),
    WrongCase(
      "404 as a page", "/api/v1/users/profile", expected: ["breaking errorShape page"],
      change: WrongGateway.failures {
        guard $0.status == 404 else { return }
        $0.headers["Content-Type"] = "text/html"
        $0.body = .bytes(Array("<h1>Not Found</h1>".utf8))
      }),
    WrongCase(
      "422 for 400", followers, expected: ["tolerated status "],
      change: WrongGateway.failures {
        guard $0.status == 400 else { return }
        $0.status = 422
        $0.body = .empty
      }),
    WrongCase(
      "500 for 400", followers, expected: ["breaking status "],
      change: WrongGateway.failures {
        guard $0.status == 400 else { return }
        $0.status = 500
        $0.body = .empty
      }),
    WrongCase(
      "another gRPC code than the status says", "/api/v1/users/profile", expected: ["breaking status "],
      change: WrongGateway.failures {
        if $0.status == 404 { $0.body = .bytes(Array(#"{"code":3,"message":"x"}"#.utf8)) }
      }),
    WrongCase(
      "every error is sent as 200", "/api/v1/users/profile", expected: ["breaking status error"],
      change: WrongGateway.failures { $0.status = 200 }),
    WrongCase(
      "every error is a gRPC status under 200", "/api/v1/users/profile", expected: ["breaking status error"],
      change: WrongGateway.failures {
        $0.headers["grpc-status"] = $0.status == 404 ? "5" : $0.status == 401 ? "16" : "3"
        ($0.status, $0.body) = (200, .empty)
      }),
    WrongCase(
      "errors are gRPC statuses in the fields", "/api/v1/users/profile", expected: [],
      change: WrongGateway.failures {
        $0.headers["grpc-status"] = $0.status == 404 ? "5" : $0.status == 401 ? "16" : "3"
        $0.body = .empty
      }),
    WrongCase(
      "a gRPC status under 200 for a valid request", likeCount, expected: ["breaking status "],
      change: WrongGateway.answers { $0.headers["grpc-status"] = "14" }),
    WrongCase(
      "500 for a missing user, with the right code", "/api/v1/users/profile", expected: ["breaking status "],
      change: WrongGateway.failures {
        guard $0.status == 404 else { return }
        ($0.status, $0.body) = (500, .bytes(Array(#"{"code":5,"message":"x"}"#.utf8)))
      }),
    WrongCase(
      "500 for a missing user", "/api/v1/users/profile", expected: ["breaking status "],
      change: WrongGateway.failures { if $0.status == 404 { $0.status = 500 } }),
    WrongCase(
      "503 for a missing user", "/api/v1/users/profile", expected: ["breaking status "],
      change: WrongGateway.failures { if $0.status == 404 { $0.status = 503 } }),
    WrongCase(
      "the list of captures is in an object", "/api/v1/somethings", expected: ["tolerated wrongType "],
      change: WrongGateway.json { json in
        guard case .array = json else { return json }
        return .object([.init(name: "somethings", value: json)])
      }),
    WrongCase(
      "the limit is ignored", "/api/v1/media/reels", expected: ["breaking inconsistent reels"],
      change: WrongGateway.json { json in
        json.changing("reels") { reels in
          let first = reels.elements?.first ?? .object([.init(name: "id", value: .string("r"))])
          return [.init(name: "reels", value: .array([first, first, first]))]
        }
      }),
    WrongCase(
      "everything is accepted", "/api/v1/users/profile", expected: ["tolerated accepted ", "breaking accepted "],
      change: { _, response in
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: response.isSuccess ? response.body : .bytes(Array("{}".utf8)))
      }),
  ]

  @Test(arguments: names + numbers + values + answers)
  func differencesAreFoundAndGraded(_ wrong: WrongCase) async {
    let check = ContractCheck.ofMock({ $0.checkOnlyService(of: wrong.path) }) {
      WrongGateway(base: $0, path: wrong.path, change: wrong.change)
    }
    let report = await check.run()
    let found = Set(report.differences.map { "\($0.grade) \($0.kind) \($0.path)" })
    #expect(wrong.expected.isSubset(of: found), "found \(report.differences.map(\.line))")
    let isBreaking = wrong.expected.contains { $0.hasPrefix("breaking") }
    #expect(report.isPassed == !isBreaking, "\(report.differences.map(\.line))")
    if wrong.expected.isEmpty { #expect(report.differences.isEmpty, "\(report.differences.map(\.line))") }
  }
}

extension JSONValue {
  fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name } + [Member(name: name, value: value)])
  }
}
