import NovaCapture
import NovaCore
import NovaTestSupport
import Testing

/// What a request needs because of another field, and what a URL must be.
@Suite struct RequirementTests {
  private typealias Request = CreateSomethingRequest

  private func problem(_ request: Request) -> String? {
    RequestRules.violation(in: request).map { "\($0.field.name) \($0.problem)" }
  }

  @Test(arguments: ContentType.allCases + [""], [nil, "", "x"])
  func eachTypeNeedsItsField(_ type: ContentType, content: String?) {
    for url in [nil, "", "https://cdn.example/a.jpg"] {
      let expected: String? =
        if content == "" {
          "content must have 1 to 10000 characters, but has 0"
        } else if [.text, ""].contains(type) {
          content == nil ? "content must not be empty if the content type is text" : nil
        } else {
          url == nil || url == "" ? "media_url must not be empty if the content type is \(type)" : nil
        }
      #expect(problem(Request(content: content, contentType: type, mediaUrl: url)) == expected)
    }
  }

  /// Servers may know more types than this version.
  @Test func otherTypesNeedNothing() {
    for type in ["audio", "TEXT", "text ", "textimage"] as [ContentType] {
      #expect(problem(Request(contentType: type)) == nil, "\(type)")
    }
  }

  @Test(arguments: [
    "https://cdn.example/a.jpg", "http://localhost:8080", "HTTPS://CDN.EXAMPLE/a?b=c#d", "https://[::1]:443/a",
    "https://xn--bcher-kva.example/%C3%A9", "http://192.0.2.1/",
  ])
  func absoluteURLsAreFine(_ url: String) {
    #expect(problem(Request(contentType: .image, mediaUrl: url)) == nil)
    #expect(problem(Request(content: "x", contentType: .text, mediaUrl: url)) == nil)
  }

  @Test(arguments: [
    "a.jpg", "/a.jpg", "//cdn.example/a.jpg", "ftp://cdn.example/a", "javascript:alert(1)", "file:///etc/passwd",
    "https:",
    "https://", "https:///a", "https://a b/c", "https://cdn.example/é", "https://cdn.example:99999/",
    "https://u:PASSWORD@x/",
    " https://x/", "https://x/\n", "data:image/png;base64,AA==",
  ])
  func otherTextsAreNot(_ text: String) {
    let url = text.replacing("PASSWORD", with: Canary.secret)
    for type in [.image, .video, .url, .text, "audio"] as [ContentType] {
      let found = problem(Request(content: "x", contentType: type, mediaUrl: url))
      #expect(found?.hasPrefix("media_url must be an absolute http or https URL: ") == true, "\(found ?? "nothing")")
      // It can have a password.
      #expect(found?.contains(Canary.secret) == false)
    }
  }

  @Test func aFieldCanBeLookedAtAlone() {
    let request = Request(contentType: .image)
    #expect(RequestRules.problem(with: "media_url", of: request) == "must not be empty if the content type is image")
    #expect(RequestRules.problem(with: "content", of: request) == nil)
    #expect(RequestRules.problem(with: "content_type", of: request) == nil)
  }

  /// 0 is an absent number in a message, and a mistake where the caller named it.
  @Test func aNumberThatIsAbsentHasNoRange() throws {
    try RequestRules.check(ListSomethingsRequest())
    for limit in [-1, 101] {
      let error = #expect(throws: APIError.self) {
        try RequestRules.check(ListSomethingsRequest(limit: limit), of: CaptureRPC.listSomethings.descriptor)
      }
      #expect(error?.code == .invalidArgument && error?.rpc == "capture.ListSomethings")
      #expect(error?.message == "limit must be 1…100, got \(limit)")
    }
  }
}
