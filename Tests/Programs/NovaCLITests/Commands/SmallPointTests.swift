import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Suggestions, quiet commands, variables and files in the help, and pets of the sample data.
@Suite struct SmallPointTests {
  @Test(arguments: [
    (["ls"], "reels", "List all with `nova --help`."), (["context", "ls"], "remove", "Did you mean list?"),
    (["post", "new"], "show", "Did you mean create?"),
    (["me"], "memory", "Did you mean whoami?"), (["signin"], "search", "Did you mean login?"),
    (["comment", "rm", "c-1"], "create", ""), (["get", "followers"], "pet", "List all with `nova --help`."),
    (["environmnt"], "comment", "Did you mean `nova help environment`?"),
    (["help", "environmnt"], "comment", "Did you mean `nova help environment`?"),
  ])
  func aWordThatIsNoCommandHasAUsefulSuggestion(_ words: [String], _ wrong: String, _ right: String) async throws {
    let run = try await ProgramRun(words + ["--mock"]).result()
    #expect(run.status != 0, "\(run)")
    #expect(!run.errors.contains("Did you mean \(wrong)"), "\(run.errors)")
    #expect(run.errors.contains(right), "\(run.errors)")
  }

  /// Other programs take `-ojson` and `-L5`, before and after the command.
  @Test(arguments: [
    ["followers", "mock-user-id", "-oids", "-L2"], ["-oids", "followers", "mock-user-id", "-L2"],
    ["followers", "mock-user-id", "-qL", "2", "-o=ids"],
  ])
  func aShortOptionIsFollowedByItsValue(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.status == 0 && run.output == "user-1492\nuser-0952\n", "\(run)")
  }

  @Test func aLimitWithTooManyDigitsIsTooLarge() async throws {
    let large = try await nova("followers", "x", "--limit", "99999999999999999999", "--mock")
    #expect(large.status == 64 && large.errors.contains("the number is too large"), "\(large)")
    let word = try await nova("followers", "x", "--limit", "1e3", "--mock")
    #expect(word.status == 64 && word.errors.contains("expected a whole number"), "\(word)")
  }

  @Test func quietCommandsPrintNoNotes() async throws {
    for command in [["like", "post-1", "--as", "mock-user-id"], ["followers", "mock-user-id", "-L", "1"], ["pets"]] {
      let run = try await ProgramRun(command + ["-q", "--mock"]).result()
      #expect(run.status == 0 && run.errors.isEmpty, "\(command): \(run)")
    }
    let desk = try Desk()
    for command in [
      ["alias", "set", "x", "posts"], ["alias", "remove", "x"], ["config", "set", "retry.attempts", "5"],
      ["config", "unset", "retry.attempts"], ["context", "add", "c", "--base-url", "http://127.0.0.1:9"],
      ["context", "use", "c"], ["context", "remove", "c", "--yes"], ["config", "trust"], ["config", "untrust"],
    ] {
      let run = try await desk.run(command + ["-q"])
      #expect(run.status == 0 && run.errors.isEmpty, "\(command): \(run)")
    }
    let failed = try await nova("like", "nope", "--as", "ada", "-q", "--mock")
    #expect(failed.status == 5 && failed.errors.contains("not found"), "\(failed)")
    let verbose = try await nova("-v", "followers", "mock-user-id", "-L", "1", "--mock")
    #expect(verbose.errors.contains("url=mock:/api/v1/graph/followers"), "\(verbose.errors)")
  }

  @Test func thePetsOfTheSampleDataAreNoReasonToWarn() async throws {
    let run = try await nova("pets", "--mock")
    #expect(!run.errors.contains("warning"), "\(run.errors)")
    #expect(run.errors.contains("7 announcements of the sample data violate the contract"), "\(run.errors)")
  }

  @Test func everyVariableIsInTheHelp() async throws {
    let run = try await nova("help", "environment")
    #expect(run.status == 0, "\(run)")
    for name in ConfigurationVariable.names {
      let isOfService = ["_BASE_URL", "_TIMEOUT", "_REQUEST_NAMES"].contains { name.hasSuffix($0) }
      #expect(run.output.contains(name) || isOfService, "\(name): add it to EnvironmentHelp.swift")
    }
    for file in ["APIConfig.json", "~/.config/nova/contexts.json", "aliases.json"] {
      #expect(run.output.contains(file), "\(file)")
    }
    let page = CommandTree.nova.help(columns: 80)
    #expect(page.contains("\nENVIRONMENT:\n") && page.contains("\nFILES:\n"), "\(page)")
  }

  @Test func thePageOfAPairNamesBothIDs() {
    for name in ["follow", "like"] {
      let page = CommandTree.nova.command(at: [name]).help(columns: 100)
      #expect(page.contains("USAGE: nova \(name) [<"), "\(page)")
      #expect(page.contains("The first of several IDs"), "\(page)")
    }
  }
}
