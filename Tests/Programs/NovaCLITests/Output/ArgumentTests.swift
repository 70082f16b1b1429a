import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct ArgumentTests {
  @Test(arguments: [
    ("5s", 5000), ("500ms", 500), ("2m", 120_000), ("3", 3000), ("1.5s", 1500), ("0", 0), ("1h", 3_600_000),
  ])
  func timesAreRead(_ text: String, _ milliseconds: Int) {
    #expect(Seconds(argument: text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "ms", "-1", "1d", "1e3", "1 s", "nan", "..", "1.2.3", "99999999999"])
  func otherTimesAreNot(_ text: String) { #expect(Seconds(argument: text) == nil) }

  @Test(arguments: [
    (["--mock", "followers", "x"], ["followers", "--mock", "x"]),
    (["-o", "ids", "--base-url=u", "followers", "x"], ["followers", "-o", "ids", "--base-url=u", "x"]),
    (["--mock", "config", "show"], ["config", "show", "--mock"]), (["--help"], ["--help"]), ([], []),
    (["followers", "x", "--mock"], ["followers", "x", "--mock"]), (["--mock"], ["--mock"]),
    (["--mock", "--help"], ["--mock", "--help"]), (["--timeout"], ["--timeout"]),
    (["post", "--mock", "show", "post-1"], ["post", "show", "--mock", "post-1"]),
    (["--mock", "capture", "-o", "json", "A text."], ["capture", "--mock", "-o", "json", "A text."]),
    (["capture", "create", "lst"], ["capture", "create", "lst"]), (["profile", "edt"], ["profile", "edt"]),
    (["help", "post", "show"], ["help", "post", "show"]), (["post", "help", "show"], ["help", "post", "show"]),
    (["help", "help", "post"], ["help", "post"]), (["--mock", "help"], ["help"]),
    (["followers", "x", "--limit", "-1"], ["followers", "x", "--limit=-1"]),
    (["capture", "add", "--", "--limit", "-1"], ["capture", "add", "--", "--limit", "-1"]),
  ])
  func optionsMoveBehindTheCommand(_ given: [String], _ expected: [String]) throws {
    #expect(try CommandLineOrder.arranged(given) == expected)
  }

  /// At any depth, and whatever options are there.
  @Test(arguments: [
    (["folowers", "x"], "folowers", "followers"), (["--mock", "folowers"], "folowers", "followers"),
    (["post", "crete", "--mock"], "post crete", "create"), (["post", "--mock", "crete"], "post crete", "create"),
    (["config", "shw"], "config shw", "show"), (["fixtures", "generat"], "fixtures generat", "generate"),
    (["help", "folowers"], "folowers", "followers"), (["help", "post", "crete"], "post crete", "create"),
    (["post", "help", "crete"], "post crete", "create"),
  ])
  func unknownCommandsAreCorrected(given: [String], unknown: String, known: String) throws {
    let failure = try #require(throws: Failure.self) { try CommandLineOrder.arranged(given) }
    #expect(failure.message == "not found: command \"\(unknown)\"")
    #expect(failure.hint?.hasPrefix("Did you mean \(known)? ") == true, "\(failure.hint ?? "")")
    #expect(failure.status == .usage)
  }

  @Test(arguments: [
    ("Error: Unknown option '--limt'. Did you mean '--limit'?", "unknown option --limt; did you mean --limit?"),
    ("Error: Missing expected argument '<id>'\nUsage: x", "missing <id>"),
    (
      "Error: The value 'x' is invalid for '--limit <count>'",
      "invalid value \"x\" for --limit <count>: expected a whole number"
    ),
    (
      "Error: The value 'x' is invalid for '--rate <count>'",
      "invalid value \"x\" for --rate <count>: expected a number"
    ),
    (
      "Error: The value '99999' is invalid for '--port <port>'",
      "invalid value \"99999\" for --port <port>: expected 0 to 65535"
    ),
    (
      "Error: The value 'abc' is invalid for '--timeout <time>'",
      "invalid value \"abc\" for --timeout <time>: expected a time such as 5s, 500ms or 2m"
    ),
    (
      "Error: The value 'x' is invalid for '--seed <seed>': invalid seed \"x\": expected one such as nova1:42",
      "invalid seed \"x\": expected one such as nova1:42"
    ),
    (
      "Error: The value 'x' is invalid for '<kind>'. Please provide one of 'user' and 'post'.",
      "invalid value \"x\" for <kind>; expected one of \"user\" or \"post\""
    ),
    ("Error: The value 'it's' is invalid for '<id>'", "invalid value 'it's' for '<id>'"),
    (
      "Error: The value 'tcsh' is invalid for '<shell>'. Please provide one of 'bash' or 'zsh'.",
      "invalid value \"tcsh\" for <shell>; expected one of \"bash\" or \"zsh\""
    ),
    ("Error: Missing value for '-o <output>'", "missing value for -o <output>"),
    ("Error: 2 unexpected arguments: 'a', 'b'", "2 unexpected arguments: \"a\", \"b\""),
    ("Error: invalid --limit: it's late", "invalid --limit: it's late"), ("Error: --all: no", "--all: no"),
  ])
  func theParsersMessagesAreInOneStyle(_ text: String, _ expected: String) {
    #expect(UsageMessage(text).lines.first == expected)
  }

  @Test func namesAreSuggested() {
    let names = ["graph.GetFollowers", "graph.GetFollowing", "content.GetPost"]
    #expect(Suggestions.closest(to: "graph.followrs", among: names) == ["graph.GetFollowers"])
    #expect(Suggestions.closest(to: "getpost", among: names) == ["content.GetPost"])
    #expect(Suggestions.closest(to: "grph", among: names + ["graph"]) == ["graph"])
    #expect(Suggestions.closest(to: "user", among: ["serve", "followers"]).isEmpty)
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

  @Test func refusedArgumentsAreBadDataWhoeverRefusedThem() {
    #expect(ExitStatus.of(APIError(.invalidArgument, "x", httpStatus: 400)) == .badData)
    #expect(ExitStatus.of(APIError(.invalidArgument, "x")) == .badData)
  }
}
