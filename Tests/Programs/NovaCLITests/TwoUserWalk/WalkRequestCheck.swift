import NovaCore
import NovaTesting

/// A request as a walk's gateway sees it.
struct WalkRequest: Sendable {
  let method: String
  let path: String
  let query: String
  let token: String?
  let raw: RawRequest
  let json: JSONValue

  init(_ raw: RawRequest) {
    let words = raw.requestLine.split(separator: " ").map(String.init)
    let target = words.count > 1 ? words[1] : "/"
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    (method, path, query) = (words.first ?? "", parts.first ?? "/", parts.count > 1 ? parts[1] : "")
    token = raw.header("Authorization").flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : $0 }
    self.raw = raw
    json = (try? JSONValue(jsonUTF8: raw.body)) ?? .null
  }

  func text(_ name: String) -> String? { json[name]?.stringValue }

  /// The step of an upload that it is about, if it is.
  var uploadID: String? {
    method == "PUT" ? path.split(separator: "/").last.map(String.init) : text("upload_id")
  }
}

/// Whether a request names, or carries, only what belongs to the user of its token.
enum WalkRequestCheck {
  /// The fields that name the user for whom a request is.
  private static let names = ["user_id", "follower_id", "creator_id"]

  /// What is wrong with a request; nil if nothing is.
  ///
  /// - Parameters:
  ///   - user: the user of its token, also of one that has expired; nil without a token.
  ///   - uploadOwner: the owner of the upload that it is about, if it is.
  static func problem(
    _ request: WalkRequest, by user: WalkUser?, uploadOwner: WalkUser?, accounts: WalkAccounts
  ) -> String? {
    let who = user?.rawValue ?? "nobody"
    if request.token != nil, user == nil { return "a token that was never issued" }
    for name in names {
      guard let named = request.text(name).flatMap(WalkUser.init), named != user else { continue }
      return "\(name) is \(named), and the token is \(who)'s"
    }
    let head = ([request.raw.requestLine] + request.raw.headerLines).joined(separator: "\n")
    let text = head + String(decoding: request.raw.body, as: UTF8.self)
    if let marked = WalkUser.marked(in: text).first(where: { $0 != user }) {
      return "it carries content of \(marked), and the token is \(who)'s"
    }
    if let uploadOwner, uploadOwner != user { return "it is about an upload of \(uploadOwner), by \(who)" }
    let enclosed =
      accounts.user(ofRefreshToken: request.text("refresh_token")) ?? accounts.user(of: request.text("token"))
    guard let enclosed, let user, enclosed != user else { return nil }
    return "it has a token of \(enclosed) in its body, and carries one of \(who)"
  }
}
