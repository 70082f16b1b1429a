import NovaCore
import NovaTestSupport

/// Sessions, records, and writes.
extension WalkGateway {
  // MARK: Sessions

  func authenticate(_ request: HTTPRequest) throws -> HTTPResponse {
    let json = try JSONValue(jsonUTF8: request.body.inMemory)
    let key = request.headers["Idempotency-Key"] ?? ""
    return state.withLock { state in
      if let known = state.answers[key] { return known }
      let old = json["refresh_token"]?.stringValue ?? ""
      var user: String?
      switch request.url.path.split(separator: "/").last {
      case "login": user = json["email"]?.stringValue.map { String($0.prefix { $0 != "@" }) }
      case "refresh": user = state.refreshTokens.removeValue(forKey: old)
      default:
        state.refreshTokens[old] = nil
        return .json(#"{"success":true}"#)
      }
      guard let user else { return .status(401) }
      state.number += 1
      let refresh = "refresh.\(user).\(state.number)"
      state.refreshTokens[refresh] = user
      let answer = HTTPResponse.json(
        #"{"user_id":"\#(user)","token":"session.\#(user).\#(state.number)","refresh_token":"\#(refresh)","expires_in":3600}"#
      )
      state.answers[key] = answer
      return answer
    }
  }

  /// The tokens that a user's sessions have are no longer accepted.
  func revokeSessions(of user: String) {
    state.withLock { state in
      for number in 0...state.number { state.revoked.insert("session.\(user).\(number)") }
    }
  }

  func revoke(_ token: String) { state.withLock { _ = $0.revoked.insert(token) } }

  // MARK: Records

  func record(_ request: HTTPRequest) throws -> HTTPResponse {
    let (owner, path) = (Self.owner(of: request), request.url.path)
    if path.hasSuffix("/somethings") {
      if owner == Self.nobody { return .status(401) }
      return .json(#"[{"id":1,"userId":"\#(owner)","content":"\#(owner)","contentType":"text"}]"#)
    }
    let json = try JSONValue(jsonUTF8: request.body.inMemory)
    switch path.split(separator: "/").suffix(2).joined(separator: "/") {
    case "content/post":
      let id = json["post_id"]?.stringValue ?? ""
      return .json(#"{"found":true,"post":{"id":"\#(id)","creator_id":"x","content":"\#(owner)"}}"#)
    case "users/profile":
      let id = json["user_id"]?.stringValue ?? ""
      return .json(#"{"profile":{"id":"\#(id)","username":"x","bio":"\#(owner)"}}"#)
    case "graph/followers":
      let offset = json["offset"]?.integerValue ?? 0
      return .json(#"{"user_ids":["\#(owner).\#(offset)"],"total_count":4,"has_more":\#(offset < 3)}"#)
    case "social/like", "social/unlike", "social/share", "content/bookmark":
      write(about: json["post_id"]?.stringValue ?? "", of: json["user_id"]?.stringValue ?? "", by: owner)
      return .json(#"{"success":true}"#)
    case "analytics/record":
      for event in json["events"]?.elements ?? [] {
        let (name, user) = (event["name"]?.stringValue ?? "", event["user_id"]?.stringValue)
        write(about: name, of: user ?? owner, by: owner)
      }
      return .json(#"{"accepted_count":\#(json["events"]?.elements?.count ?? 0)}"#)
    default: return .status(404)
    }
  }

  private func write(about subject: String, of user: String, by owner: String) {
    state.withLock { state in
      state.writers[subject, default: []].insert(owner)
      state.named[subject] = user
    }
  }
}
