import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The inspector of a real `nova serve` in a real browser.
struct Inspector {
  /// The sizes of the page that the tests use.
  static let widths = [1280, 400]

  let browser: Browser
  let url: String
  private let transport = CurlTransport()

  /// Runs `body` with an open inspector, in a tab of the suite's browser.
  static func with(
    width: Int = 1280, isDark: Bool = false, _ arguments: String..., body: (Inspector) async throws -> Void
  ) async throws {
    let browser = try #require(SharedBrowser.current, "the suite has no .sharedBrowser")
    let serve = try await Serve(arguments)
    defer { withExtendedLifetime(serve) {} }
    try await browser.withTab(width: width, isDark: isDark) {
      let inspector = Inspector(browser: browser, url: serve.url)
      try await inspector.open("/_nova/")
      try await body(inspector)
      await inspector.transport.shutdown()
    }
  }

  /// Opens a page of the server, and waits until it is live. What it copies is in `copied`.
  func open(_ path: String) async throws {
    try await browser.open("about:blank")
    try await browser.open(url + path)
    try await wait(for: ##"document.getElementById("connection")?.textContent === "live""##)
    try await run(
      "window.copied = []; window.problems = []; addEventListener('error', event => problems.push(event.message)); "
        + "navigator.clipboard.writeText = async text => { copied.push(text); }")
  }

  /// Returns once an expression is true, without waiting for the page's own refresh each second.
  func wait(for condition: String) async throws {
    try await browser.wait(for: condition, update: "refresh()")
  }

  /// Runs statements in the page.
  func run(_ statements: String) async throws { _ = try await browser.value("(() => { \(statements) })()") }

  /// Sends a request to the server.
  @discardableResult
  func send(
    _ method: HTTPMethod = .post, _ path: String, body: String = "", headers: HTTPHeaders = [:]
  ) async throws -> JSONValue? {
    var headers = headers
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    let response = try await transport.send(
      HTTPRequest(method: method, url: try HTTPURL(parsing: url + path), headers: headers, body: Array(body.utf8))
    )
    return try? JSONValue(jsonUTF8: response.body.inMemory)
  }

  /// Calls an RPC that needs no data.
  func isFollowing(_ user: String, headers: HTTPHeaders = [:]) async throws {
    let body = JSONValue.members(("follower_id", .string(user)), ("followee_id", .string("b")))
    try await send(
      .post, "/api/v1/graph/is-following", body: String(decoding: body.jsonUTF8, as: UTF8.self), headers: headers)
  }

  func showTab(_ name: String) async throws {
    try await browser.click("#tab-\(name)")
    try await wait(for: "!document.getElementById('\(name)').hidden")
  }

  /// Opens the details of a request, and waits until they are loaded.
  func showDetails(_ number: Int) async throws {
    try await run("details.request = null; showDetails(\(number))")
    try await wait(for: "details.request?.number === \(number)")
  }

  /// Opens the form of a stub that is filled in from a request.
  func openStubForm(forRequest number: Int) async throws {
    try await showDetails(number)
    try await browser.click("#details button:nth-child(4)")
    try await wait(for: "!byId('stubs').hidden")
  }

  func waitForMessage(_ text: String) async throws {
    try await wait(for: "document.getElementById('message').textContent.includes('\(text)')")
  }

  /// Nothing covers the message.
  func expectVisibleMessage() async throws {
    let isOnTop = try await browser.isTrue(
      """
      (() => { const [box, message] = [byId('message').getBoundingClientRect(), byId('message')];
        return message.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)); })()
      """)
    #expect(isOnTop, "the message is covered")
  }

  /// The result of a command that the page copied, in a shell where `nova` is found.
  func shell(_ command: String, environment: [String: String] = [:]) async throws -> RunResult {
    let path = try ProgramRun.program().deletingLastPathComponent().path
    let paths = [path, ProgramRun.environment["PATH"] ?? "/usr/bin:/bin"].joined(separator: ":")
    return try await ProgramRun(
      ["-c", command], executable: URL(filePath: "/bin/bash"), environment: ["PATH": paths].merging(environment) { $1 }
    ).result()
  }

  /// Nothing went wrong in the page, and nothing but the page was loaded.
  func expectNoProblems() async throws {
    #expect(try await browser.value("problems") == .array([]))
    let loaded = try await browser.value(
      #"performance.getEntriesByType("resource").filter(each => !each.name.startsWith(location.origin + "/_nova/")).length"#
    )
    #expect(loaded == .number("0"))
  }
}
