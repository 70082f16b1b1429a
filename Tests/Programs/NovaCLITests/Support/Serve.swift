import NovaTestSupport
import NovaTesting
import Testing

/// Runs of `nova serve` at a port that nothing else gets before this value goes: when the server has ended, callers are
/// refused, and not answered by the server of another test.
final class Serve: Sendable {
  let url: String
  /// The first run.
  let run: ProgramRun
  private let place: ClosedPort

  /// Starts the program and waits until it listens.
  init(_ arguments: [String] = [], environment: [String: String] = [:]) async throws {
    place = try ClosedPort()
    url = place.url
    run = try await Self.start(arguments, environment: environment, at: place)
  }

  /// Starts it once more, after the end of the last run.
  func startAgain(_ arguments: String...) async throws -> ProgramRun { try await Self.start(arguments, at: place) }

  private static func start(
    _ arguments: [String], environment: [String: String] = [:], at place: ClosedPort
  ) async throws -> ProgramRun {
    let run = try ProgramRun(["serve", "--port", "\(place.port)"] + arguments, environment: environment)
    let line = try await run.waitForOutput("\n")
    try #require(line.contains(place.url), "\(line)")
    return run
  }
}

/// Runs `body` with the URL of a `nova serve`.
func withServe(_ arguments: String..., body: (_ url: String, _ run: ProgramRun) async throws -> Void) async throws {
  let serve = try await Serve(arguments)
  defer { withExtendedLifetime(serve) {} }
  try await body(serve.url, serve.run)
}
