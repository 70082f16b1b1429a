import NovaCore
import NovaTestSupport
import Testing

/// A walk through all services of a server, which returns the bytes of every response.
struct RepeatedWalk {
  /// A request, in which `{name}` is replaced by a value of an earlier response.
  struct Step {
    var method = "POST"
    let path: String
    var body = ""
    var headers: [String] = []
    /// Members of the response to remember, such as `post.id`, by the name under which later steps use them.
    var keeps: [String: String] = [:]
  }

  private let port: UInt16
  private var values: [String: String] = [:]

  init(url: String) throws { port = try #require(UInt16(url.split(separator: ":").last ?? "")) }

  /// Sends all steps in order.
  mutating func responses(to steps: [Step]) async throws -> [(step: String, bytes: String)] {
    var responses: [(step: String, bytes: String)] = []
    for step in steps {
      let bytes = await exchange(request(step), port: port, endsInput: false)
      responses.append(("\(step.method) \(step.path)", bytes))
      try keep(step.keeps, from: bytes)
    }
    return responses
  }

  private func request(_ step: Step) -> [UInt8] {
    let body = filled(step.body)
    var lines = ["\(step.method) \(filled(step.path)) HTTP/1.1", "Host: localhost", "Connection: close"]
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    if !body.isEmpty, step.method != "PUT" { lines.append("Content-Type: application/json") }
    lines += step.headers.map(filled)
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  private func filled(_ text: String) -> String {
    values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  private mutating func keep(_ names: [String: String], from bytes: String) throws {
    guard !names.isEmpty else { return }
    let body = try #require(bytes.firstRange(of: "\r\n\r\n").map { bytes[$0.upperBound...] }, "\(bytes)")
    let json = try JSONValue(jsonUTF8: Array(body.utf8))
    for (name, path) in names {
      let value = path.split(separator: ".").reduce(Optional(json)) { $0?[String($1)] }
      values[name] = try #require(value?.stringValue ?? value?.integerValue.map(String.init), "\(path): \(bytes)")
    }
  }
}

extension RepeatedWalk.Step {
  private static let auth = ["Authorization: Bearer {token}"]
  private static let ann = #""user_id":"user-registered-1""#

  private static func call(_ path: String, _ body: String, as headers: [String] = auth) -> Self {
    Self(path: "/api/v1/\(path)", body: body, headers: headers)
  }

  /// Sign-in, refresh, posts, uploads, events, errors, and pages: something of every service.
  static let all: [Self] = [
    // Accounts and tokens.
    .init(
      path: "/api/v1/auth/register", body: #"{"email":"ann@example.com","username":"ann","password":"long enough"}"#),
    .init(
      path: "/api/v1/auth/login", body: #"{"email":"ann@example.com","password":"long enough"}"#,
      headers: ["X-Request-ID: walk-1"], keeps: ["token": "token", "refresh": "refresh_token"]),
    .init(path: "/api/v1/auth/login", body: #"{"email":"ann@example.com","password":"wrong"}"#),
    .init(path: "/api/v1/auth/refresh", body: #"{"refresh_token":"{refresh}"}"#, keeps: ["token": "token"]),
    call("auth/verify", #"{"token":"{token}"}"#),
    call("auth/user", "{\(ann)}"),
    .init(path: "/api/v1/events/list", body: #"{"topics":["me"]}"#, headers: auth, keeps: ["position": "next_after"]),
    // Users and the graph.
    call("users/profile/update", "{\(ann),\"bio\":\"Here since today.\"}"),
    call("users/profile", #"{"user_id":"mock-user-id"}"#),
    call("users/settings/update", "{\(ann),\"dark_mode\":true}"),
    call("users/search", #"{"query":"an","limit":7,"offset":3}"#),
    call("graph/follow", #"{"follower_id":"user-registered-1","followee_id":"mock-user-id"}"#),
    call("graph/followers", #"{"user_id":"mock-user-id","limit":20,"offset":10}"#),
    call("graph/following", #"{"user_id":"mock-user-id","limit":20}"#),
    call(
      "graph/is-following/batch",
      #"{"follower_id":"mock-user-id","followee_ids":["user-0009","user-0005","user-0001","nobody"]}"#),
    // Posts, likes, comments, and pages with cursors.
    .init(
      path: "/api/v1/content/post/create", body: #"{"creator_id":"user-registered-1","content":"First."}"#,
      headers: auth + ["Idempotency-Key: walk"], keeps: ["post": "post.id"]),
    .init(
      path: "/api/v1/content/post/create", body: #"{"creator_id":"user-registered-1","content":"First."}"#,
      headers: auth + ["Idempotency-Key: walk"]),
    call("content/post", #"{"post_id":"{post}"}"#),
    call("social/like", #"{"user_id":"user-registered-1","post_id":"post-1"}"#),
    call("social/comment", #"{"post_id":"post-1","user_id":"user-registered-1","content":"So true."}"#),
    call("social/comments", #"{"post_id":"post-1","limit":5}"#),
    call("social/stats/batch", #"{"post_ids":["post-9","post-2","post-5","post-1"]}"#),
    call("content/bookmark", #"{"user_id":"user-registered-1","post_id":"post-2"}"#),
    call("content/posts/author", #"{"author_id":"mock-user-id","limit":3,"offset":4}"#),
    .init(
      path: "/api/v1/feed", body: "{\(ann),\"limit\":5,\"algorithm\":\"v2\"}", headers: auth,
      keeps: ["cursor": "next_cursor"]),
    call("feed", "{\(ann),\"limit\":5,\"algorithm\":\"v2\",\"cursor\":\"{cursor}\"}"),
    call("feed/recommended-creators", "{\(ann),\"limit\":5}"),
    call("feed/rank", "{\(ann),\"posts\":[{\"id\":\"post-2\",\"author_id\":\"user-0001\"}]}"),
    // An upload, its file, and a reel that is being processed.
    call("media/upload/start", "{\(ann),\"file_name\":\"a.txt\",\"file_size\":11,\"content_type\":\"text/plain\"}"),
    .init(
      method: "PUT", path: "/api/v1/media/upload/upload-1/bytes", body: "hello world",
      headers: auth + ["Content-Range: bytes 0-10/11"]),
    call("media/upload/complete", #"{"upload_id":"upload-1"}"#),
    .init(method: "GET", path: "/media/upload-1/a.txt", headers: auth + ["Range: bytes=6-"]),
    call("media/reel/create", #"{"creator_id":"user-registered-1","upload_id":"upload-1","caption":"c"}"#),
    call("media/reel", #"{"reel_id":"reel-1"}"#),
    // Captures with meanings, analytics, announcements.
    .init(path: "/api/v1/somethings", body: #"{"content":"Three words here"}"#, headers: auth, keeps: ["thing": "id"]),
    .init(method: "GET", path: "/api/v1/somethings/{thing}", headers: auth),
    .init(method: "GET", path: "/api/v1/somethings?limit=10", headers: auth),
    call(
      "analytics/record",
      #"{"events":[{"id":"e1","name":"opened","anonymous_id":"x","session_id":"s","occurred_at_ms":1}],"sent_at_ms":2}"#
    ),
    .init(method: "GET", path: "/api/v1/announcements?lat=38.7&lng=-9.1"),
    // Errors and faults.
    call("content/post", #"{"post_id":"post-none"}"#),
    call("content/post/create", #"{"creator_id":"mock-user-id","content":"Not mine."}"#),
    call("graph/followers", #"{"user_id":"","limit":-1}"#),
    .init(method: "GET", path: "/api/v1/graph/followers"),
    .init(path: "/api/v1/graph/followers", body: "{", headers: auth),
    call("graph/followers", #"{"user_id":"mock-user-id"}"#, as: auth + ["Nova-Fault: 429 retry-after 3"]),
    call("social/likes/count", #"{"post_id":"post-1"}"#),
    call("social/likes/count", #"{"post_id":"post-1"}"#),
    call("social/likes/count", #"{"post_id":"post-1"}"#),
    // Events, of which the stream ends after 300 bytes.
    call("events/list", #"{"topics":["me","post:post-1"],"after":"{position}"}"#),
    .init(
      method: "GET", path: "/api/v1/events/stream?topics=me&after={position}",
      headers: auth + ["Nova-Fault: cut 300"]),
    // The end of the session, and the clock.
    call("auth/logout", #"{"refresh_token":"{refresh}"}"#),
    call("users/profile", #"{"user_id":"mock-user-id"}"#),
    .init(path: "/_nova/clock", body: #"{"advance_seconds":86400}"#),
    .init(path: "/api/v1/auth/login", body: #"{"email":"ann@example.com","password":"long enough"}"#),
    .init(path: "/_nova/clock", body: #"{"now":"2024-12-31T00:00:00Z"}"#),
    .init(path: "/api/v1/auth/login", body: #"{"email":"ann@example.com","password":"long enough"}"#),
    .init(method: "GET", path: "/_nova/clock"),
  ]
}
