import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// What a page from another origin can do to a running `nova serve`, in a real browser.
@Suite(.hangLimit) struct CrossOriginTests {
  @Test func aPageElsewhereDeletesNoPost() async throws {
    let browser: Browser
    do { browser = try await Browser.start() } catch let missing as Browser.Missing {
      Issue.record("\(missing)", severity: .warning)
      return
    }
    do {
      try await withServe { url, _ in
        try await withServe { elsewhere, _ in try await attack(url, from: elsewhere, browser) }
      }
    } catch {
      await browser.stop()
      throw error
    }
    await browser.stop()
  }

  private func attack(_ url: String, from elsewhere: String, _ browser: Browser) async throws {
    let named = url.replacing("127.0.0.1", with: "localhost")
    for page in ["\(elsewhere)/nowhere", "\(named)/nowhere"] {
      try await browser.open(page)
      for type in ["text/plain", "application/x-www-form-urlencoded"] {
        #expect(
          try await delete(at: url, type: type, mode: "no-cors", in: browser) == .string("opaque"),
          "it is sent from \(page)")
      }
      #expect(
        try await delete(at: url, type: "application/json", mode: "cors", in: browser) == .string("failed"),
        "not without leave")
      #expect(try await postIsThere(url), "a page at \(page) deleted a post")
    }
    // The same from the server's own origin.
    try await browser.open("\(url)/nowhere")
    #expect(try await delete(at: url, type: "application/json", mode: "cors", in: browser) == .string("basic"))
    #expect(try await !postIsThere(url))
  }

  private func delete(
    at url: String, type: String, mode: String, in browser: Browser
  ) async throws -> JSONValue? {
    let body = #"{"post_id":"post-1","deleted_by_id":"mock-user-id"}"#
    return try await browser.value(
      """
      fetch("\(url)/api/v1/content/post/delete", {method: "POST", mode: "\(mode)",
        headers: {"Content-Type": "\(type)"}, body: '\(body)'}).then(answer => answer.type, () => "failed")
      """)
  }

  private func postIsThere(_ url: String) async throws -> Bool {
    try await nova("call", "content.CheckPostExists", #"{"post_id":"post-1"}"#, "--base-url", url).output.contains(
      "true")
  }
}
