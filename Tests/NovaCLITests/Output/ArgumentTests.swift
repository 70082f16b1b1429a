import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct ArgumentTests {
  @Test(arguments: [
    ("5s", 5000), ("500ms", 500), ("2m", 120_000), ("3", 3000), ("1.5s", 1500), ("0", 0),
  ])
  func timesAreRead(_ text: String, _ milliseconds: Int) {
    #expect(Seconds(argument: text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "ms", "-1", "1h", "1e3", "1 s", "nan", "..", "1.2.3", "99999999999"])
  func otherTimesAreNot(_ text: String) { #expect(Seconds(argument: text) == nil) }

  @Test(arguments: [
    (["--mock", "followers", "x"], ["followers", "--mock", "x"]),
    (["-o", "ids", "--base-url=u", "followers", "x"], ["followers", "-o", "ids", "--base-url=u", "x"]),
    (["--mock", "config", "show"], ["config", "show", "--mock"]), (["--help"], ["--help"]), ([], []),
    (["followers", "x", "--mock"], ["followers", "x", "--mock"]), (["--mock"], ["--mock"]),
    (["--mock", "--help"], ["--mock", "--help"]), (["--timeout"], ["--timeout"]),
  ])
  func optionsMoveBehindTheCommand(_ given: [String], _ expected: [String]) throws {
    #expect(try CommandLineOrder.arranged(given) == expected)
  }

  @Test func namesAreSuggested() {
    let names = ["graph.GetFollowers", "graph.GetFollowing", "content.GetPost"]
    #expect(Suggestions.closest(to: "graph.followrs", among: names) == ["graph.GetFollowers"])
    #expect(Suggestions.closest(to: "getpost", among: names) == ["content.GetPost"])
    #expect(Suggestions.closest(to: "zebra", among: names).isEmpty)
    #expect(Suggestions.closest(to: "", among: names).isEmpty)
  }
}

@Suite struct ExitStatusTests {
  @Test(arguments: [
    (APIError.Code.unauthorized, ExitStatus.notAllowed), (.permissionDenied, .notAllowed), (.notFound, .notFound),
    (.networkError, .noConnection), (.timeout, .noConnection), (.decodingError, .badData),
    (.invalidResponse, .badData), (.serverError, .failed), (.conflict, .failed), (.rateLimited, .failed),
    (.unavailable, .failed), (.insecureConnection, .failed), (.invalidURL, .failed), (.cancelled, .failed),
    (.init(rawValue: "new"), .failed),
  ])
  func failuresHaveExitCodes(_ code: APIError.Code, _ status: ExitStatus) {
    #expect(ExitStatus.of(APIError(code, "x")) == status)
  }

  @Test func argumentsTheServerRefusedAreAFailure() {
    #expect(ExitStatus.of(APIError(.invalidArgument, "x", httpStatus: 400)) == .failed)
    #expect(ExitStatus.of(APIError(.invalidArgument, "x")) == .badData)
  }
}
