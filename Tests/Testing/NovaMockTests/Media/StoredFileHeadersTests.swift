import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

/// Uploaded files have the mock's origin; browsers must not run them.
@Suite struct StoredFileHeadersTests {
  private let mock = MockCaller()

  private func headers(_ type: String) throws -> HTTPHeaders {
    let response = mock.get(try mock.upload([1, 2, 3], name: "file", type: type).url)
    try #require(response.status == 200)
    return response.headers
  }

  @Test(arguments: [
    ("image/png", true), ("IMAGE/JPEG", true), ("image/gif; x=y", true), ("video/mp4", true), ("audio/mpeg", true),
    ("text/plain", true), ("text/html", false), ("image/svg+xml", false), ("text/xml", false),
    ("application/xml", false),
    ("application/xhtml+xml", false), ("text/javascript", false), ("application/pdf", false), ("", false),
    ("application/octet-stream", false), ("text/plain,text/html", false), ("nonsense", false),
    ("text/html;image/png", false),
  ])
  func filesCannotAct(_ type: String, _ isShown: Bool) throws {
    let headers = try headers(type)
    #expect(headers["Content-Type"] == (type.isEmpty ? "application/octet-stream" : type))
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["Content-Security-Policy"] == "sandbox; default-src 'none'")
    #expect(headers["Content-Disposition"] == (isShown ? nil : "attachment"))
  }
}
