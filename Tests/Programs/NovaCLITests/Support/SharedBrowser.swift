import Testing

/// One browser for all tests of a suite: each start takes half a second, and a tab shares nothing with earlier ones.
struct SharedBrowser: SuiteTrait, TestScoping {
  /// The browser of the suite; `nil` if this machine has none.
  @TaskLocal static var current: Browser?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let browser: Browser
    do { browser = try await Browser.start() } catch let missing as Browser.Missing {
      Issue.record("\(missing)", severity: .warning)
      return
    }
    do { try await Self.$current.withValue(browser, operation: function) } catch {
      await browser.stop()
      throw error
    }
    await browser.stop()
  }
}

extension Trait where Self == SharedBrowser {
  /// Starts a browser before the first test of the suite, and ends it after the last; without a browser on this
  /// machine, records a warning and runs no test.
  static var sharedBrowser: Self { SharedBrowser() }
}
