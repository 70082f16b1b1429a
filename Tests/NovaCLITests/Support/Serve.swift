import NovaTestSupport
import Testing

/// Runs `body` with the URL of a `nova serve` that listens on a free port.
func withServe(_ arguments: String..., body: (_ url: String, _ run: ProgramRun) async throws -> Void) async throws {
  let run = try ProgramRun(["serve", "--port", "0"] + arguments)
  let line = try await run.waitForOutput("\n")
  let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
  try await body(String(url), run)
}
