import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// A headless Chromium, driven over WebDriver (W3C) by its own chromedriver.
struct Browser {
  /// Why there is no browser.
  struct Missing: Error, CustomStringConvertible {
    let description =
      "no chromedriver here: the page was not tried in a browser. Install it (Debian: apt-get install chromium-driver)."
  }

  private let driver: ProgramRun
  private let transport: CurlTransport
  private let root: String
  private let session: String

  /// Starts both.
  ///
  /// - Throws: ``Missing`` where there is none.
  static func start() async throws -> Browser {
    let places = ["/usr/bin/chromedriver", "/usr/local/bin/chromedriver", "/opt/homebrew/bin/chromedriver"]
    guard let path = places.first(where: FileManager.default.isExecutableFile) else { throw Missing() }
    let (driver, port) = try await startDriver(URL(filePath: path))
    let transport = CurlTransport()
    let root = "http://127.0.0.1:\(port)"
    let options = #"{"args":["--headless=new","--no-sandbox","--disable-gpu","--window-size=1280,900"]}"#
    let answer = try await Self.send(
      over: transport, .post, "\(root)/session",
      body: #"{"capabilities":{"alwaysMatch":{"browserName":"chrome","goog:chromeOptions":\#(options)}}}"#)
    let id = try #require(answer["value"]?["sessionId"]?.stringValue, "no session: \(answer)")
    return Browser(driver: driver, transport: transport, root: root, session: "\(root)/session/\(id)")
  }

  /// Runs `body` in a new tab, and closes that tab.
  ///
  /// - Parameters:
  ///   - width: the width of the page in pixels.
  ///   - isDark: whether the system prefers dark colors.
  func withTab(width: Int = 1280, isDark: Bool = false, _ body: () async throws -> Void) async throws {
    let first = try await Self.send(over: transport, .get, "\(session)/window")["value"]?.stringValue ?? ""
    let tab = try await post("window/new", ["type": "tab"])["value"]?["handle"]?.stringValue ?? ""
    try await post("window", ["handle": tab])
    // Windows are never as narrow as phones.
    try await command(
      "Emulation.setDeviceMetricsOverride", #"{"width":\#(width),"height":900,"deviceScaleFactor":1,"mobile":false}"#)
    let scheme = isDark ? "dark" : "light"
    try await command(
      "Emulation.setEmulatedMedia", #"{"features":[{"name":"prefers-color-scheme","value":"\#(scheme)"}]}"#)
    do { try await body() } catch {
      try await closeTab(returningTo: first)
      throw error
    }
    try await closeTab(returningTo: first)
  }

  private func closeTab(returningTo tab: String) async throws {
    _ = try await Self.send(over: transport, .delete, "\(session)/window")
    try await post("window", ["handle": tab])
  }

  /// Sends a command of the Chrome DevTools Protocol.
  func command(_ name: String, _ parameters: String) async throws {
    _ = try await Self.send(
      over: transport, .post, "\(session)/goog/cdp/execute", body: #"{"cmd":"\#(name)","params":\#(parameters)}"#)
  }

  /// Presses keys in the element with the focus. Special keys are those of WebDriver, for example `\u{E015}` for ↓.
  func press(_ keys: String) async throws {
    let strokes = keys.map { key in
      ["keyDown", "keyUp"].map { JSONValue.members(("type", .string($0)), ("value", .string(String(key)))) }
    }
    let source = JSONValue.members(
      ("type", .string("key")), ("id", .string("keyboard")), ("actions", .array(strokes.flatMap { $0 })))
    let body = JSONValue.members(("actions", .array([source])))
    _ = try await Self.send(
      over: transport, .post, "\(session)/actions", body: String(decoding: body.jsonUTF8, as: UTF8.self))
  }

  /// Whether an expression is true.
  func isTrue(_ expression: String) async throws -> Bool { try await value("!!(\(expression))") == .bool(true) }

  /// The text of the first element that a selector finds.
  func text(_ selector: String) async throws -> String {
    let selector = String(decoding: JSONValue.string(selector).jsonUTF8, as: UTF8.self)
    return try await value("document.querySelector(\(selector))?.textContent")?.stringValue ?? ""
  }

  /// chromedriver takes a free port of IPv4, and ends if another program has that port of IPv6: it is started again.
  private static func startDriver(_ path: URL) async throws -> (ProgramRun, port: Substring) {
    for _ in 0..<20 {
      let driver = try ProgramRun(["--port=0"], executable: path)
      do {
        let line = try await driver.waitForOutput("successfully on port ")
        return (driver, try #require(line.components(separatedBy: "on port ").last?.prefix { $0.isNumber }))
      } catch let failure as ProgramRun.Failure where failure.description.contains("Address already in use") {
        continue
      }
    }
    throw ProgramRun.Failure(description: "chromedriver found no port that is free in IPv4 and IPv6")
  }

  /// Ends both.
  func stop() async {
    _ = try? await Self.send(over: transport, .delete, session)
    _ = try? await Self.send(over: transport, .get, "\(root)/shutdown")
    await transport.shutdown()
  }

  func open(_ url: String) async throws { try await post("url", ["url": url]) }

  /// Clicks what a CSS selector finds.
  func click(_ selector: String) async throws { try await post("element/\(try await element(selector))/click", [:]) }

  func type(_ text: String, into selector: String) async throws {
    let element = try await element(selector)
    try await post("element/\(element)/clear", [:])
    try await post("element/\(element)/value", ["text": text])
  }

  /// What JavaScript gives for an expression, as JSON; of an asynchronous one, what it passes to `arguments[0]`.
  func value(_ expression: String, isAsync: Bool = false) async throws -> JSONValue? {
    let script = JSONValue.object([
      .init(name: "script", value: .string("return \(expression)")), .init(name: "args", value: .array([])),
    ])
    return try await Self.send(
      over: transport, .post, "\(session)/execute/\(isAsync ? "async" : "sync")",
      body: String(decoding: script.jsonUTF8, as: UTF8.self))["value"]
  }

  /// Returns once an expression is true. Before each new look at it, the page runs `update`.
  func wait(for condition: String, update: String) async throws {
    let look =
      "(async done => { for (const end = Date.now() + 25000; Date.now() < end;) { try { if (\(condition)) return done(true); } catch {} "
      + "await \(update); await new Promise(next => setTimeout(next, 5)); } done(false); })(arguments[0])"
    if try await value(look, isAsync: true) != .bool(true) { try await wait(for: condition) }
  }

  /// Returns once an expression is true.
  func wait(for condition: String) async throws {
    for _ in 0..<600 {
      if try await value("!!(\(condition))") == .bool(true) { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let text = try await value("document.body.innerText")?.stringValue ?? ""
    Issue.record("\(condition) did not become true; the page says: \(text)")
  }

  /// A picture of the page, as PNG.
  func screenshot() async throws -> Data {
    let answer = try await Self.send(over: transport, .get, "\(session)/screenshot")
    return try #require(answer["value"]?.stringValue.flatMap { Data(base64Encoded: $0) })
  }

  private func element(_ selector: String) async throws -> String {
    let answer = try await post("element", ["using": "css selector", "value": selector])
    guard case .object(let members) = answer["value"], let id = members.first?.value.stringValue else {
      throw ProgramRun.Failure(description: "the page has no \(selector): \(answer)")
    }
    return id
  }

  @discardableResult
  private func post(_ path: String, _ parameters: [String: String]) async throws -> JSONValue {
    let body = JSONValue.object(parameters.map { .init(name: $0.key, value: .string($0.value)) })
    return try await Self.send(
      over: transport, .post, "\(session)/\(path)", body: String(decoding: body.jsonUTF8, as: UTF8.self))
  }

  private static func send(
    over transport: CurlTransport, _ method: HTTPMethod, _ url: String, body: String = ""
  ) async throws -> JSONValue {
    let request = HTTPRequest(
      method: method, url: url, headers: ["Content-Type": "application/json"], body: Array(body.utf8),
      limits: TransferLimits(idleTimeout: .seconds(120)))
    return try JSONValue(jsonUTF8: try await transport.send(request).body.inMemory)
  }
}
