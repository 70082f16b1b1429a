import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

/// A cause has one style and one exit code, whether nova, the mock backend or a gateway found it.
@Suite struct FailureStyleTests {
  /// How a cause is found.
  enum Finder: Sendable {
    /// By nova, or by the mock in memory.
    case arguments([String])
    /// By a gateway that answers every call with this.
    case gateway(status: String, body: String)
  }

  struct Cause: Sendable, CustomTestStringConvertible {
    let start: String
    let status: ExitStatus
    let finders: [Finder]

    var testDescription: String { start }
  }

  static let causes = [
    Cause(
      start: "not found: post \"post-x\"", status: .notFound,
      finders: [
        .arguments(["post", "show", "post-x", "--mock"]),
        .arguments(["like", "mock-user-id", "post-x", "--mock"]),
        .gateway(status: "404 Not Found", body: #"{"code":5,"message":"post \"post-x\""}"#),
        .gateway(
          status: "404 Not Found", body: #"{"error":{"code":"NOT_FOUND","message":"not found: post \"post-x\""}}"#),
      ]),
    Cause(
      start: "not found", status: .notFound,
      finders: [
        .arguments(["profile", "nobody", "--mock"]),
        .arguments(["comment", "edit", "c-0", "x", "--as", "a", "--mock"]),
        .gateway(status: "404 Not Found", body: ""),
      ]),
    Cause(
      start: "invalid argument: ", status: .badData,
      finders: [
        .arguments(["call", "graph.GetFollowers", #"{"user_id":"x","limit":-1}"#, "--mock"]),
        .arguments(["post", "create", "", "--as", "ada", "--mock"]), .arguments(["follow", "ada", "ada", "--mock"]),
        .gateway(status: "400 Bad Request", body: #"{"code":3,"message":"limit must not be negative"}"#),
        .gateway(status: "422 Unprocessable", body: #"{"detail":"limit must not be negative"}"#),
      ]),
    Cause(
      start: "not signed in", status: .notAllowed,
      finders: [
        .arguments(["whoami", "--mock"]),
        .gateway(status: "401 Unauthorized", body: #"{"code":16,"message":"expired"}"#),
        .gateway(status: "401 Unauthorized", body: ""),
      ]),
    Cause(
      start: "not allowed", status: .notAllowed,
      finders: [
        .arguments(["comment", "edit", "comment-1", "x", "--as", "mock-user-id", "--mock"]),
        .gateway(status: "403 Forbidden", body: #"{"code":7,"message":"blocked"}"#),
      ]),
    Cause(
      start: "not found: command \"post crete\"", status: .usage,
      finders: [.arguments(["post", "crete"]), .arguments(["help", "post", "crete"])]),
    Cause(
      start: "unknown option --limt; did you mean --limit?", status: .usage,
      finders: [.arguments(["followers", "x", "--limt", "3"]), .arguments(["posts", "x", "--limt=3", "--mock"])]),
    // Before what the parser makes of the option's value, and without guesses that are far off.
    Cause(
      start: "unknown option --fields\n", status: .usage,
      finders: [.arguments(["like", "post-1", "--as", "mock-user-id", "--fields", "x", "--mock"])]),
    Cause(
      start: "unknown option --limit\n", status: .usage,
      finders: [.arguments(["follow", "user-7", "--as", "ada", "--limit", "3"])]),
    Cause(
      start: "unknown option --foo\n", status: .usage,
      finders: [.arguments(["followers", "x", "--foo"]), .arguments(["profile", "x", "--as", "y", "--foo", "z"])]),
    Cause(
      start: "missing command; see `nova", status: .usage,
      finders: [.arguments(["--mock"]), .arguments(["post", "--mock"])]),
  ]

  @Test(arguments: causes) func oneCauseHasOneStyle(_ cause: Cause) async throws {
    for finder in cause.finders {
      let run = try await run(finder)
      #expect(run.status == cause.status.rawValue, "\(finder): \(run.errors)")
      #expect(run.errors.hasPrefix("nova: \(cause.start)"), "\(finder): \(run.errors)")
      #expect(run.output.isEmpty, "\(finder): \(run.output)")
    }
  }

  private func run(_ finder: Finder) async throws -> RunResult {
    switch finder {
    case .arguments(let arguments): return try await ProgramRun(arguments).result()
    case .gateway(let status, let body):
      return try await withRawServer({
        try $0.respondToAll(status, headers: ["Content-Type: application/json"], body: Array(body.utf8))
      }) { try await nova("followers", "x", "--base-url", $0.url("")) }
    }
  }
}
