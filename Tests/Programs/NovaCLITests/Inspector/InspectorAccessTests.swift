import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The inspector by keyboard, for screen readers, and in both color schemes.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct InspectorAccessTests {
  private static let down = "\u{E015}", up = "\u{E013}", end = "\u{E010}", enter = "\u{E007}", escape = "\u{E00C}"
  private static let right = "\u{E014}"

  @Test(arguments: Inspector.widths) func everythingWorksByKeyboard(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      for user in 0..<40 { try await inspector.isFollowing("user-\(user)") }
      try await inspector.wait(for: "log.entries.length === 40")
      try await browser.press("?")
      try await inspector.wait(for: "byId('shortcuts').open")
      try await browser.press(Self.escape)
      try await inspector.wait(for: "!byId('shortcuts').open")
      try await browser.press("/user-1")
      try await inspector.wait(for: "list.shown.length === 11 && document.activeElement.id === 'search'")
      try await browser.press(Self.escape)
      try await inspector.wait(for: "list.shown.length === 40")
      // One row is in the order of tabs, and arrows move it.
      #expect(try await browser.isTrue("document.querySelectorAll('.request[tabindex=\"0\"]').length === 1"))
      try await inspector.run("document.querySelector('.request[tabindex=\"0\"]').focus()")
      for (keys, number) in [(Self.down + Self.down, 38), (Self.up, 39), (Self.end, 1), (Self.up, 2)] {
        try await browser.press(keys)
        try await inspector.wait(for: "document.activeElement.dataset.number === '\(number)'")
      }
      let box = "byId('box').getBoundingClientRect(), row = document.activeElement.getBoundingClientRect()"
      #expect(
        try await browser.value(
          "(() => { const box = \(box); return row.top >= box.top - 1 && row.bottom <= box.bottom + 1; })()")
          == .bool(true))
      try await browser.press(Self.enter)
      try await inspector.wait(for: "document.activeElement.id === 'details' && details.request?.number === 2")
      try await browser.press(Self.escape)
      try await inspector.wait(for: "document.activeElement.dataset.number === '2'")
      try await inspector.run("byId('tab-requests').focus()")
      try await browser.press(Self.right)
      try await inspector.wait(for: "document.activeElement.id === 'tab-live' && !byId('live').hidden")
      try await browser.press("/")
      try await inspector.wait(for: "document.activeElement.id === 'search' && byId('live').hidden")
    }
  }

  /// Keys work from the start, and after the focus was lost.
  @Test(arguments: Inspector.widths) func arrowsNeedNoFocus(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      for user in 0..<40 { try await inspector.isFollowing("user-\(user)") }
      try await inspector.wait(for: "log.entries.length === 40 && document.activeElement === document.body")
      for (keys, number) in [(Self.down, 40), (Self.down + Self.down, 38), (Self.up, 39)] {
        try await browser.press(keys)
        try await inspector.wait(for: "document.activeElement.dataset.number === '\(number)'")
        try await inspector.run("document.activeElement.blur()")
      }
      try await browser.press(Self.enter)
      try await inspector.wait(for: "document.activeElement.id === 'details' && details.request?.number === 39")
      try await browser.press(Self.escape)
      try await inspector.wait(for: "document.activeElement.dataset.number === '39'")
      // A button keeps its own keys.
      try await inspector.run("byId('pause').focus()")
      try await browser.press(Self.enter)
      try await inspector.wait(for: "log.isPaused && byId('details').hidden")
      try await browser.press(Self.down)
      try await inspector.wait(for: "document.activeElement.dataset.number === '38'")
      // Neither does a field, nor another tab.
      try await inspector.run("byId('search').focus()")
      try await browser.press(Self.down)
      #expect(try await browser.isTrue("document.activeElement.id === 'search' && list.active === 38"))
      try await inspector.showTab("state")
      try await inspector.run("document.activeElement.blur()")
      try await browser.press(Self.down)
      #expect(try await browser.isTrue("list.active === 38 && document.activeElement === document.body"))
      #expect(try await browser.isTrue("byId('reset').classList.contains('main')"))
    }
  }

  @Test(arguments: Inspector.widths, [false, true])
  func controlsHaveNamesAndTextHasContrast(width: Int, isDark: Bool) async throws {
    try await Inspector.with(width: width, isDark: isDark) { inspector in
      let browser = inspector.browser
      try await inspector.send(.put, "/_nova/faults", body: #"{"rules":["latency 1ms"]}"#)
      try await inspector.send(.post, "/_nova/stubs", body: #"{"rpc":"graph.GetFollowers"}"#)
      try await inspector.send(.post, "/_nova/snapshot", body: #"{"name":"one"}"#)
      try await inspector.isFollowing("a", headers: ["Nova-Fault": "503"])
      try await inspector.send(.get, "/nowhere")
      try await inspector.wait(for: "log.entries.length === 2")
      for type in ["like.created", "comment.created", "share.created"] {
        let event =
          #"{"type":"\#(type)","actor_id":"ann","post_id":"post-1","counts":{"like_count":3},"text":"What a day"}"#
        try await inspector.send(.post, "/_nova/events", body: event)
      }
      try await inspector.wait(for: "live.rows.length === 3")
      try await inspector.run("document.querySelector('#live-list details').open = true")
      for tab in ["requests", "live", "faults", "stubs", "data", "state"] {
        try await inspector.showTab(tab)
        if tab == "data" { try await inspector.wait(for: "users.items.length && posts.items.length") }
        try await check(browser, tab, isDark: isDark, width: width)
      }
      try await inspector.showTab("requests")
      try await inspector.showDetails(1)
      try await check(browser, "details", isDark: isDark, width: width)
      try await inspector.run("closeDetails(); byId('shortcuts').showModal()")
      try await check(browser, "dialog", isDark: isDark, width: width)
    }
  }

  /// However many faults and stubs the tabs count.
  @Test(arguments: Inspector.widths) func noTabIsCutOff(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let rules = Array(repeating: #""latency 1ms""#, count: 12).joined(separator: ",")
      try await inspector.send(.put, "/_nova/faults", body: "{\"rules\":[\(rules)]}")
      for _ in 1...100 { try await inspector.send(.post, "/_nova/stubs", body: #"{"rpc":"graph.GetFollowers"}"#) }
      try await inspector.wait(
        for: "byId('fault-count').textContent === '(12)' && byId('stub-count').textContent === '(100)'")
      for tab in ["requests", "live", "faults", "stubs", "data", "state"] {
        try await inspector.showTab(tab)
        let tabs = "[...document.querySelectorAll('[role=tab]')].map(tab => tab.getBoundingClientRect())"
        #expect(
          try await inspector.browser.isTrue("\(tabs).every(box => box.left >= 0 && box.right <= innerWidth)"),
          "\(tab) at \(width)")
      }
    }
  }

  private func check(_ browser: Browser, _ name: String, isDark: Bool, width: Int) async throws {
    let problems = try await browser.value("(\(Self.script))()")
    #expect(problems == .array([]), "\(name) at \(width), \(isDark ? "dark" : "light")")
    #expect(try await browser.isTrue("document.documentElement.scrollWidth <= innerWidth"), "\(name) at \(width)")
    // The pictures are kept beside the program, to look at.
    let folder = try ProgramRun.program().deletingLastPathComponent()
    let picture = try await browser.screenshot()
    #expect(picture.count > 5000)
    try picture.write(to: folder.appending(path: "inspector-\(name)-\(width)-\(isDark ? "dark" : "light").png"))
  }

  /// Finds visible controls without a name or with a forbidden role, doubled ids, and text with a contrast below 4.5:1.
  private static let script = #"""
    () => {
      const problems = [];
      const modal = document.querySelector("dialog[open]");
      const isShown = each => each.checkVisibility() && !each.closest("[inert]") && (!modal || modal.contains(each));
      const labels = each => each.getAttribute("aria-label")
        || (each.getAttribute("aria-labelledby") || "").split(" ").map(id => document.getElementById(id)?.textContent || "").join("")
        || [...(each.labels || [])].map(label => label.textContent).join("") || (each.matches("input, select, textarea") ? "" : each.textContent);
      for (const each of document.querySelectorAll("button, input, select, textarea, [role=option], [role=listbox], [role=tabpanel], [role=tablist], dialog, form[aria-label]")) {
        if (isShown(each) && !labels(each).trim()) problems.push("no name: " + each.outerHTML.slice(0, 100));
      }
      for (const each of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]")) {
        for (const name of ["aria-controls", "aria-labelledby", "aria-describedby"]) {
          if (each.getAttribute(name) && !document.getElementById(each.getAttribute(name))) problems.push("no such id: " + each.outerHTML.slice(0, 100));
        }
      }
      const ids = [...document.querySelectorAll("[id]")].map(each => each.id);
      if (new Set(ids).size !== ids.length) problems.push("an id is there twice");
      const numbers = color => (color.match(/[\d.]+/g) || []).map(Number);
      const light = ([red, green, blue]) => [red, green, blue].map(each => each / 255)
        .map(each => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
        .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
      const back = each => {
        for (let at = each; at; at = at.parentElement) {
          const color = numbers(getComputedStyle(at).backgroundColor);
          if (color.length === 3 || color[3] > 0) return color;
        }
        return [255, 255, 255];
      };
      for (const each of document.querySelectorAll("body *")) {
        const hasText = [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!hasText || !isShown(each) || each.disabled || each.matches("script, style, option, datalist *")) continue;
        const [one, two] = [light(numbers(getComputedStyle(each).color)), light(back(each))].sort((a, b) => b - a);
        const contrast = (one + 0.05) / (two + 0.05);
        if (contrast < 4.5) problems.push("contrast " + contrast.toFixed(2) + ": " + each.outerHTML.slice(0, 100));
      }
      return problems;
    }
    """#

  @Test func newRequestsAreNotAnnounced() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      try await inspector.run(
        "window.announced = 0; for (const each of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) "
          + "new MutationObserver(() => announced++).observe(each, { childList: true, subtree: true, characterData: true })"
      )
      for user in 0..<5 { try await inspector.isFollowing("user-\(user)") }
      try await inspector.wait(for: "log.entries.length === 5")
      #expect(try await browser.value("announced") == .number("0"))
      try await browser.type("user-3", into: "#search")
      try await inspector.waitForMessage("1 request found")
      #expect(try await browser.isTrue("announced > 0 && announced < 4"))
    }
  }
}
