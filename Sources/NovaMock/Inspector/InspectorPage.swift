import NovaCore

/// The inspector of `/_nova/`: one page without external resources, which calls the admin API.
///
/// The page inserts everything as text. Its policy allows only its own script and style, which carry the nonce of the
/// response, and no script that creates HTML from text.
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

  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>nova serve</title>
    <link rel="icon" href="data:,">
    <style nonce="\(nonce)">
    \(InspectorStyle.all)
    </style>
    </head>
    <body>
    \(InspectorMarkup.all)
    <script nonce="\(nonce)">
    "use strict";
    \(InspectorScript.all)
    </script>
    </body>
    </html>
    """
  }
}

/// The script of the page. Each part is a concept; later parts use earlier ones.
enum InspectorScript {
  static let all = [
    page, server, log, search, list, commands, details, archive, state, live, faults, stubs, records, start,
  ].joined(separator: "\n")
}
