import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The page of `/_nova/` in a real browser, on a real `nova serve`.
@Suite(.timeLimit(.minutes(15))) struct InspectorPageTests {
  @Test func thePageShowsAndChangesTheState() async throws {
    let browser: Browser
    do { browser = try await Browser.start() } catch let missing as Browser.Missing {
      Issue.record("\(missing)", severity: .warning)
      return
    }
    do {
      try await withServe { url, _ in try await drive(browser, url) }
    } catch {
      await browser.stop()
      throw error
    }
    await browser.stop()
  }

  private func drive(_ browser: Browser, _ url: String) async throws {
    try await browser.open("\(url)/_nova/")
    try await browser.wait(for: ##"document.getElementById("seed").textContent === "1""##)
    #expect(try await browser.value(##"document.getElementById("empty").hidden"##) == .bool(false))

    // A request that names a script shows as text.
    let call = try await nova(
      "call", "graph.IsFollowing", #"{"follower_id":"<img src=x onerror=alert(1)>","followee_id":"b"}"#, "--base-url",
      url)
    #expect(call.status == 0, "\(call)")
    try await browser.wait(for: ##"document.querySelector("tr.call")?.textContent.includes("graph.IsFollowing")"##)
    try await browser.click("tr.call")
    try await browser.wait(for: ##"document.querySelector("tr.detail pre").textContent.includes("<img src=x")"##)
    #expect(try await browser.value(##"document.querySelectorAll("img").length"##) == .number("0"))

    // A fault is added, strikes, and is removed.
    try await browser.type("graph.IsFollowing=503", into: "#fault")
    try await browser.click("#fault-form button")
    try await browser.wait(for: ##"document.querySelector("#faults code")?.textContent === "graph.IsFollowing=503""##)
    let failed = try await nova(
      "call", "graph.IsFollowing", #"{"follower_id":"a","followee_id":"b"}"#, "--base-url", url,
      environment: ["NOVA_RETRY_ATTEMPTS": "1"])
    #expect(failed.status == 1, "\(failed)")
    try await browser.wait(for: ##"document.querySelector("tr.call .bad")?.textContent === "503""##)
    try await browser.click("#faults button")
    try await browser.wait(for: ##"document.querySelector("#faults code") === null"##)

    // A snapshot brings back what was, the clock goes on, and a reset ends both.
    try await browser.click("#snapshot")
    try await browser.wait(for: ##"document.querySelector("#snapshots button") !== null"##)
    let before = try await browser.value(##"document.getElementById("counts").textContent"##)
    #expect(try await nova("follow", "user-0001", "mock-user-id", "--base-url", url).status == 0)
    #expect(try await nova("like", "user-0001", "post-1", "--base-url", url).status == 0)
    try await browser.click("#snapshots button")
    try await browser.wait(for: ##"document.getElementById("message").textContent.startsWith("restored")"##)
    #expect(try await browser.value(##"document.getElementById("counts").textContent"##) == before)
    try await browser.click(#"[data-advance="86400"]"#)
    try await browser.wait(for: ##"document.getElementById("offset").textContent === "(+86400 s)""##)
    try await save(try await browser.screenshot())
    try await browser.click("#reset")
    try await browser.wait(for: ##"document.getElementById("offset").textContent === """##)

    // Nothing but the page itself was loaded, and nothing went wrong in it.
    let loaded = try await browser.value(
      #"performance.getEntriesByType("resource").filter(each => !each.name.startsWith(location.origin)).length"#)
    #expect(loaded == .number("0"))
  }

  /// For whoever wants to look: beside what is built.
  private func save(_ picture: Data) async throws {
    #expect(picture.count > 10_000 && picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let folder = try ProgramRun.program().deletingLastPathComponent()
    try picture.write(to: folder.appending(path: "inspector.png"))
  }
}
