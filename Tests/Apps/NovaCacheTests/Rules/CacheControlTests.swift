import NovaCore
import Testing

@testable import NovaCache

struct CacheControlTests {
  @Test(arguments: [
    ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), ("max-age=0060", 60),
    ("max-age=1\(String(repeating: "0", count: 30))", CacheControl.longest),
    ("max-age=99999999999", CacheControl.longest),
    ("max-age=60, max-age=5", 5), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=1e3", 0),
    ("max-age='60'", 0), ("max-age=60.5", 0), ("max-age= 60", 0), ("max-age=60s", 0), ("max-age=٦", 0),
    ("foo=\"a, max-age=5\", max-age=60", 60), ("foo=\"\\\", max-age=5\", max-age=60", 60), (",,max-age=60,,", 60),
    ("no-cache=\"max-age=5\", max-age=60", 60),
  ])
  func maxAge(text: String, seconds: Int) {
    #expect(CacheControl(["Cache-Control": text]).seconds("max-age") == seconds)
  }

  @Test(arguments: ["max-age =60", "x-max-age=60", "foo=\"max-age=60\"", ""])
  func noMaxAge(text: String) {
    #expect(CacheControl(["Cache-Control": text]).seconds("max-age") == nil)
  }

  @Test(arguments: [
    ("no-cache", true), ("No-Cache", true), ("no-cache=\"a\"", false), ("no-cache=\"a\", no-cache", true),
    // Anything could follow an open quotation mark.
    ("foo=\"bar, max-age=60", true), ("max-age=60", false),
  ])
  func validation(text: String, isRequired: Bool) {
    #expect(CacheControl(["Cache-Control": text]).requiresValidation == isRequired)
  }

  /// A failure with a success status is not the requested response.
  @Test(arguments: [("0", true), ("14", false), ("5", false), ("x", false), ("", true)])
  func aFailureInAStatusOfGRPCIsNotStored(status: String, isStored: Bool) {
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Date": HTTPDate.text(0), "grpc-status": status]
    let head = StoredHead(HTTPResponse(status: 200, headers: headers), requestTime: 0, responseTime: 0)
    #expect(StorageRule.allows(head, for: HTTPRequest(method: .get, url: "http://localhost/a")) == isStored)
  }

  @Test func listsFields() {
    let control = CacheControl(["Cache-Control": "no-cache=\"Set-Cookie, X-A\", no-cache=x-b"])
    #expect(control.fieldsRequiringValidation == ["set-cookie", "x-a", "x-b"])
  }

  /// No header causes a crash, or makes a response fresh for longer than the maximum lifetime.
  @Test func readsAnything() {
    var random = SeededGenerator(seed: 9)
    let parts = [
      "max-age", "=", "\"", ",", " ", "\\", "9", "no-cache", "\u{fc}", ";", "s-maxage", "\t", "-", "no-store",
    ]
    for _ in 0..<3000 {
      let text = (0..<random.next(below: 12)).map { _ in parts[random.next(below: parts.count)] }.joined()
      let headers: HTTPHeaders = ["Cache-Control": text, "Age": text, "Expires": text, "Vary": text, "ETag": text]
      let seconds = CacheControl(headers).seconds("max-age") ?? 0
      #expect((0...CacheControl.longest).contains(seconds), "\(text)")
      var response = HTTPResponse(status: 200, headers: headers)
      if Bool.random(using: &random) {
        response.redirects = [HTTPRedirect(status: 302, headers: headers, target: "http://localhost/b")]
      }
      let head = StoredHead(response, requestTime: 0, responseTime: 0)
      #expect(Freshness(head, at: 0).age >= 0, "\(text)")
      let request = HTTPRequest(method: .get, url: "http://localhost/a", headers: headers)
      let call = CacheCall(request: request, key: CacheKey(url: request.url, identity: nil)) { _ in
        HTTPResponse(status: 200)
      }
      _ = VaryRule.selection(by: head, of: call, hasOwner: false)
      _ = PartialResponse.requested(text, of: 10)
      #expect(StoredHead(encoded: head.encoded) == head, "\(text)")
    }
  }
}
