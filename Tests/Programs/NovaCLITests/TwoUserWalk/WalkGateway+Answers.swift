import NovaCore
import NovaTesting

extension WalkGateway.State {
  /// Answers a request, as the user of its token.
  ///
  /// - Parameter files: the server that media redirects lead to.
  mutating func answer(_ request: WalkRequest, files: String) -> WalkAnswer {
    switch request.path {
    case "/api/v1/auth/login":
      let answer = accounts.signIn(email: request.text("email"), password: request.text("password"))
      return answer.map { .json($0) } ?? Self.refused
    case "/api/v1/auth/refresh":
      let key = request.raw.header("Idempotency-Key")
      return accounts.refresh(request.text("refresh_token") ?? "", key: key).map { .json($0) } ?? Self.refused
    case _ where request.method == "HEAD": return WalkAnswer()
    default: break
    }
    if request.token != nil, !accounts.isGood(request.token) { return Self.refused }
    guard let user = accounts.user(of: request.token) else { return .json(.members()).requiringToken(request) }
    let key = [user.id, request.path, request.raw.header("Idempotency-Key") ?? ""]
    if !key[2].isEmpty, let known = answers[key] { return known }
    let answer = answer(request, by: user, files: files)
    if !key[2].isEmpty, answer.status < 300 { answers[key] = answer }
    return answer
  }

  private static let refused = WalkAnswer.failure(401, code: 16, "expired, or ended")

  private mutating func answer(_ request: WalkRequest, by user: WalkUser, files: String) -> WalkAnswer {
    if let media = WalkMedia(rawValue: request.path) { return file(media, request, by: user, files: files) }
    switch request.path {
    case "/api/v1/auth/logout":
      accounts.signOut(request.token)
      return .json(.members(("success", .bool(true))))
    case "/api/v1/auth/verify":
      let owner = accounts.user(of: request.text("token")) ?? user
      return .json(.members(("is_valid", .bool(true)), ("user_id", .string(owner.id)), ("email", .string(owner.email))))
    case "/api/v1/auth/user":
      return .json(.members(("user", .members(("id", .string(user.id)), ("username", .string(user.mark))))))
    case "/api/v1/events/stream": return stream(to: user)
    case "/api/v1/events/list": return list(request, of: user)
    case _ where request.method == "PUT":
      let range = request.raw.header("Content-Range")
      let (status, json) = uploads.store(request.uploadID ?? "", range: range, count: request.raw.body.count)
      return .json(json, status: status)
    case _ where request.path.hasPrefix("/api/v1/media/upload"): return .json(upload(request, by: user))
    default: return .json(Self.record(request, by: user), status: request.isCapture ? 201 : 200)
    }
  }

  private mutating func upload(_ request: WalkRequest, by user: WalkUser) -> JSONValue {
    let id = request.uploadID ?? ""
    return switch request.path.split(separator: "/").last {
    case "start": uploads.start(request.json, by: user)
    case "complete": uploads.complete(id)
    default: uploads.get(id, by: user)
    }
  }

  private func file(_ media: WalkMedia, _ request: WalkRequest, by user: WalkUser, files: String) -> WalkAnswer {
    guard let bytes = media.bytes(for: user) else { return .failure(403, code: 7, "not yours") }
    // The ETag is the user's, too.
    guard media != .direct else {
      return .file(
        bytes, of: request, headers: ["Cache-Control: private, max-age=600", #"ETag: "\#(user.mark)""#])
    }
    let name = media.rawValue.split(separator: "/").last ?? ""
    let policy = media == .keptRedirect ? "private, max-age=600" : "private, no-store"
    return WalkAnswer(status: 302, headers: ["Location: \(files)/\(user.id)/\(name)", "Cache-Control: \(policy)"])
  }

  // MARK: Records

  /// An answer whose content has the user's mark.
  private static func record(_ request: WalkRequest, by user: WalkUser) -> JSONValue {
    let mark = user.mark
    func text(_ name: String) -> JSONValue? { request.json[name] }
    switch request.path {
    case "/api/v1/content/post":
      let post = JSONValue.members(
        ("id", text("post_id")), ("creator_id", .string("writer")), ("content", .string("for \(mark)")),
        ("created_at", .number("1700000000")))
      return .members(("post", post), ("found", .bool(true)))
    case "/api/v1/content/post/create":
      let post = JSONValue.members(
        ("id", .string("post-of-\(mark)")), ("creator_id", text("creator_id")), ("content", text("content")),
        ("media_ids", text("media_ids")))
      return .members(("post", post))
    case "/api/v1/social/comment":
      let comment = JSONValue.members(
        ("id", .string("comment-of-\(mark)")), ("post_id", text("post_id")), ("creator_id", text("user_id")),
        ("content", text("content")))
      return .members(("success", .bool(true)), ("comment", comment))
    case "/api/v1/social/likes", "/api/v1/graph/followers":
      return .members(("user_ids", .array([.string("friend-of-\(mark)")])), ("total_count", .number("1")))
    case "/api/v1/users/profiles/batch":
      let profiles = (request.json["user_ids"]?.elements ?? []).map { id in
        JSONValue.members(("id", id), ("username", .string("friend")), ("display_name", .string("Friend of \(mark)")))
      }
      return .members(("profiles", .array(profiles)))
    case "/api/v1/somethings":
      let capture = JSONValue.members(
        ("id", .number("7")), ("user_id", .string(user.id)), ("content", request.isCapture ? text("content") : nil),
        ("content_type", .string("text")), ("meaning", .string("meaning for \(mark)")))
      return request.isCapture ? capture : .array([capture])
    default: return .members(("success", .bool(true)), ("message", .string("for \(mark)")))
    }
  }

  // MARK: Events

  /// A private event, and then the connection is lost.
  private mutating func stream(to user: WalkUser) -> WalkAnswer {
    let count = (eventCounts[user] ?? 0) + 1
    eventCounts[user] = count
    let event = Self.event(count, of: user)
    let text = "retry: 0\n\nid: \(user.id):\(count)\nevent: something.created\ndata: "
    return WalkAnswer(
      headers: ["Content-Type: text/event-stream"],
      body: Array(text.utf8) + event.jsonUTF8 + Array("\n\n".utf8), isStream: true)
  }

  private func list(_ request: WalkRequest, of user: WalkUser) -> WalkAnswer {
    let after = request.text("after") ?? ""
    let last = eventCounts[user] ?? 0
    let first = after.isEmpty ? last : after.split(separator: ":").last.flatMap { Int($0) } ?? last
    let events = first < last ? (first + 1...last).map { Self.event($0, of: user) } : []
    return .json(
      .members(
        ("events", .array(events)), ("next_after", .string("\(user.id):\(last)")), ("is_complete", .bool(true))))
  }

  private static func event(_ number: Int, of user: WalkUser) -> JSONValue {
    .members(
      ("id", .string("\(user.id):\(number)")), ("type", .string("something.created")), ("actor_id", .string(user.id)),
      ("subject_id", .string(user.id)), ("something_id", .number("7")),
      ("text", .string("\(number) for \(user.mark)")), ("created_at", .number("1700000000")))
  }
}

extension WalkAnswer {
  /// This answer to nobody, if the request is one that needs no user.
  fileprivate func requiringToken(_ request: WalkRequest) -> WalkAnswer {
    let isPublic = ["/api/v1/content/post", "/api/v1/social/likes"].contains(request.path)
    guard isPublic else { return .failure(401, code: 16, "not signed in") }
    guard request.path.hasSuffix("post") else { return self }
    let post = JSONValue.members(("id", request.json["post_id"]), ("content", .string("for nobody")))
    return .json(.members(("post", post), ("found", .bool(true))))
  }
}

extension WalkRequest {
  /// Whether it creates a capture.
  fileprivate var isCapture: Bool { method == "POST" && path == "/api/v1/somethings" }
}
