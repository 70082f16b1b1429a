import NovaCore

/// The URLs that `Location` and `Content-Location` refer to.
enum LocationRule {
  /// The URL of a field, if it has the same origin as the request; nil otherwise.
  static func url(_ name: String, in headers: HTTPHeaders, of request: HTTPURL) -> HTTPURL? {
    guard let text = headers[name] else { return nil }
    let absolute: String
    if text.hasPrefix("//") {
      absolute = "\(request.origin.isSecure ? "https" : "http"):\(text)"
    } else if text.hasPrefix("/") {
      absolute = request.origin.text + text
    } else if text.contains("://") {
      absolute = text
    } else {
      absolute = request.origin.text + directory(of: request.path) + text
    }
    guard let url = try? HTTPURL(parsing: absolute), url.origin == request.origin else { return nil }
    return url
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
  }

  /// Whether a method is read-only (RFC 9110, 9.2.1).
  static func isSafe(_ method: HTTPMethod) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.rawValue) }
}
