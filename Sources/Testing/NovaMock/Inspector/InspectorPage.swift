import NovaCore

/// The inspector of `/_nova/`: one page without external resources, which calls the admin API.
///
/// The page inserts everything as text. Its policy allows only its own script and style, which carry the nonce of the
/// response, and no script that creates HTML from text. Its files are in `Page`; `make generate` puts them into one text.
struct InspectorPage {
  private let nonce = Base64.encodeForURL((0..<16).map { _ in UInt8.random(in: .min ... .max) })

  var response: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Content-Security-Policy": policy,
      ], body: Array(html.utf8))
  }

  private var policy: String {
    [
      "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "img-src data:",
      "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
      "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  private var html: String { InspectorDocument.html.replacing("{{nonce}}", with: nonce) }
}
