import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

/// `nova context add`, `use`, `list`, `current` and `remove`.
@Suite struct ContextCommandTests {
  @Test func contextsAreAddedUsedListedAndRemoved() async throws {
    let desk = try Desk()
    let added = try await desk.nova("context", "add", "local", "--base-url", "http://localhost:8080/", "--use")
    #expect(added.status == 0 && added.output.isEmpty, "\(added)")
    #expect(added.errors == "added context local: base_url http://localhost:8080\nthe current context is local\n")
    try await desk.nova("context", "add", "staging", "--environment", "staging", "--timeout", "5s")
    #expect(
      try await desk.nova("context", "list", "-o", "ndjson").output == """
        {"name":"local","is_current":true,"settings":{"base_url":"http://localhost:8080"}}
        {"name":"staging","is_current":false,"settings":{"environment":"staging","timeout_seconds":5}}

        """)
    #expect(try await desk.nova("context", "list", "-o", "ids").output == "local\nstaging\n")
    #expect(try await desk.nova("context", "current").output == "local\n")
    #expect(try await desk.nova("context", "current", environment: ["NOVA_CONTEXT": "staging"]).output == "staging\n")
    #expect(try await desk.nova("context", "use", "staging").status == 0)
    #expect(try await desk.nova("context", "current").output == "staging\n")
    // The current one can be removed; then there is none.
    #expect(try await desk.nova("context", "remove", "staging").errors.hasPrefix("removed context staging\n"))
    #expect(try await desk.nova("context", "current").status == 5)
    #expect(try await desk.nova("context", "list", "-o", "ids").output == "local\n")
    #expect(try await desk.nova("context", "use", "--none").status == 0)
  }

  @Test func aContextIsReplacedOnlyWithForce() async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "local", "--base-url", "http://localhost:8080")
    let again = try await desk.nova("context", "add", "local", "--base-url", "http://localhost:9")
    #expect(again.status == 1 && again.errors.contains("--force"), "\(again)")
    #expect(try await desk.settings("--context", "local")["base_url"]?.value == "http://localhost:8080")
    let forced = try await desk.nova("context", "add", "local", "--base-url", "http://localhost:9", "--force")
    #expect(forced.errors.hasPrefix("replaced context local: base_url http://localhost:9\n"), "\(forced)")
    #expect(try await desk.settings("--context", "local")["base_url"]?.value == "http://localhost:9")
  }

  @Test(arguments: [
    ["context", "use", "locl"], ["context", "remove", "locl"], ["followers", "x", "--context", "locl"],
    ["config", "show", "--context", "locl"], ["contract", "check", "--context", "locl"],
    ["--context", "locl", "whoami"],
  ])
  func unknownNamesHaveASuggestion(_ arguments: [String]) async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "local", "--mock")
    let run = try await desk.run(arguments)
    #expect(run.status == 5 && run.output.isEmpty, "\(run)")
    #expect(run.errors.hasPrefix("nova: not found: context \"locl\"\n      Did you mean local?"), "\(run.errors)")
  }

  @Test func theVariableIsNamedIfItsContextIsMissing() async throws {
    let desk = try Desk()
    let run = try await desk.nova("whoami", environment: ["NOVA_CONTEXT": "gone"])
    #expect(run.status == 5, "\(run)")
    #expect(
      run.errors
        == "nova: not found: context \"gone\" (NOVA_CONTEXT)\n      List all with `nova context list`, or add it with `nova context add`.\n"
    )
  }

  @Test(arguments: [
    (["x/y", "--mock"], "invalid name \"x/y\""), (["..", "--mock"], "invalid name \"..\""),
    (["", "--mock"], "invalid name \"\""), ([".a", "--mock"], "invalid name"),
    (["a\u{202E}b", "--mock"], #"invalid name "a\u{202e}b""#),
    ([String(repeating: "a", count: 65), "--mock"], "1 to 64 letters"),
    (["a"], "missing settings"), (["a", "--base-url", "ftp://x"], "invalid --base-url"),
    (["a", "--base-url", "http://me:secret-1@x"], "invalid --base-url"),
    (["a", "--environment", "prod"], "development"),
    (["a", "--ca-file", "missing.pem"], "invalid --ca-file"), (["a", "--config", "missing.json"], "invalid --config"),
    (["a", "--client-key-file", "/dev/null"], "client_certificate_file"), (["a", "--timeout", "0s"], "--timeout"),
    (["a", "--token", "x"], "--token does not exist"),
  ])
  func whatIsInvalidIsNotSaved(_ arguments: [String], _ part: String) async throws {
    let desk = try Desk()
    let run = try await desk.run(["context", "add"] + arguments)
    #expect(run.status == 64, "\(run)")
    #expect(run.errors.contains(part) && !run.errors.contains("secret-1"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: desk.contexts.path))
  }

  @Test func pathsHoldInEveryDirectory() async throws {
    let desk = try Desk()
    let file = try desk.write(
      #"{"environment":"qa","environments":{"qa":{"base_url":"https://qa.example.com"}}}"#, "work/qa.json")
    try await desk.nova("context", "add", "qa", "--config", "qa.json")
    let elsewhere = try await ProgramRun(
      ["config", "show", "--context", "qa", "-o", "ndjson"], environment: ["HOME": desk.home.path]
    ).result()
    #expect(elsewhere.output.contains(#""value":"https://qa.example.com""#), "\(elsewhere)")
    // A context whose file is gone reports it by name.
    try FileManager.default.removeItem(atPath: file)
    let gone = try await desk.nova("config", "show", "--context", "qa")
    #expect(gone.status == 65 && gone.errors.contains("(context qa)"), "\(gone)")
  }

  @Test func manyProgramsAddAtOnceAndNoneIsLost() async throws {
    let desk = try Desk()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          let run = try await desk.nova("context", "add", "c\(index)", "--mock")
          #expect(run.status == 0, "\(run)")
        }
      }
      try await group.waitForAll()
    }
    let names = try await desk.nova("context", "list", "-o", "ids").lines
    #expect(names == (0..<8).map { "c\($0)" }.sorted())
  }

  @Test func theFileIsPrivate() async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "local", "--mock")
    for (url, mode) in [(desk.contexts, 0o600), (desk.contexts.deletingLastPathComponent(), 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(url.path)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: desk.contexts.path)
    let open = try await desk.nova("followers", "x")
    #expect(open.status == 1 && open.errors.contains("other users can access it"), "\(open)")
  }

  @Test func theCurrentContextIsReportedWhenItIsRemoved() async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "local", "--mock", "--use")
    let forced = try await desk.nova("context", "add", "local", "--mock", "--force")
    #expect(forced.errors == "replaced context local: flags.mock_data true\n", "\(forced)")
    let removed = try await desk.nova(
      "context", "remove", "local", environment: ["NOVA_BASE_URL": "http://localhost:9"])
    #expect(
      removed.errors
        == "removed context local\nno context is current now; calls go to http://localhost:9\n", "\(removed)")
  }

  @Test func namesDifferInMoreThanCase() async throws {
    let desk = try Desk()
    try await desk.nova("context", "add", "qa", "--mock")
    let run = try await desk.nova("context", "add", "QA", "--mock", "--force")
    #expect(run.status == 1 && run.errors.contains("context \"qa\" exists"), "\(run)")
    #expect(try await desk.nova("context", "list", "-o", "ids").output == "qa\n")
  }

  @Test(arguments: [
    ["--base-url", "http://x", "--mock"], ["--environment", "staging", "--base-url", "http://x"],
    ["--environment", "staging", "--mock"],
  ])
  func twoGatewaysAreRefused(_ settings: [String]) async throws {
    let run = try await Desk().run(["context", "add", "a"] + settings)
    #expect(run.status == 64 && run.errors.contains("cannot be combined"), "\(run)")
  }

  // MARK: Damaged files

  /// A command that needs no context works although the contexts cannot be used.
  @Test(arguments: ["{", nil]) func anOptionNeedsNoContext(_ text: String?) async throws {
    let desk = try Desk()
    if let text { try desk.write(contexts: text) }
    for options in [["--mock"], ["--base-url", "http://x"], ["--environment", "staging"]] {
      let run = try await desk.run(["config", "show"] + options, environment: ["NOVA_CONTEXT": "gone"])
      #expect(run.status == 0, "\(options): \(run)")
    }
  }

  @Test(arguments: [
    ("", "line 1"), ("{", "line 1"), ("[]", "expected an object"), ("{}", "expected version 1"),
    (#"{"version":2,"contexts":{}}"#, "a later version"), (#"{"version":1}"#, "contexts: expected an object"),
    (#"{"version":1,"contexts":{"a\u202eb":{}}}"#, #"invalid context name "a\u{202e}b""#),
    (#"{"version":1,"contexts":{"../a":{}}}"#, "invalid context name"),
    (#"{"version":1,"contexts":{"a":3}}"#, "contexts.a: expected an object"),
    (#"{"version":1,"contexts":{"a":{"token":"secret-1"}}}"#, "contexts.a.token: not a setting"),
    (#"{"version":1,"contexts":{"a":{"base_url":"nowhere"}}}"#, "contexts.a.base_url: not a valid value"),
    (#"{"version":1,"contexts":{"a":{"timeout_seconds":-1}}}"#, "contexts.a.timeout_seconds: not a valid value"),
    (#"{"version":1,"contexts":{"a":{"config":"relative.json"}}}"#, "contexts.a.config: expected the absolute path"),
    (#"{"version":1,"contexts":{"a":{},"a":{}}}"#, "line 1"),
    (#"{"version":1,"current":"b","contexts":{"a":{}}}"#, "current: expected the name"),
    (#"{"version":1,"contexts":{},"more":1}"#, "more: not a key"),
    ("\u{FEFF}{}\u{0}", "line 1"), (String(repeating: "[", count: 5000), "line 1"),
    (#"{"version":1,"contexts":{},"x":""# + String(repeating: "y", count: 1 << 20) + #""}"#, "too large"),
  ])
  func aDamagedFileIsReportedAndLosesNothing(_ text: String, _ part: String) async throws {
    let desk = try Desk()
    try desk.write(contexts: text)
    for arguments in [
      ["context", "add", "new", "--mock"], ["context", "list"], ["followers", "x"], ["whoami"],
    ] {
      let run = try await desk.run(arguments)
      #expect(run.status == (part == "too large" ? 1 : 65), "\(arguments): \(run.status)")
      #expect(run.errors.hasPrefix("nova: cannot read the contexts: "), "\(arguments): \(run.errors.prefix(300))")
      #expect(run.errors.contains(part) && !run.errors.contains("secret-1"), "\(arguments): \(run.errors.prefix(300))")
    }
    #expect(try String(decoding: Data(contentsOf: desk.contexts), as: UTF8.self) == text)
  }

  @Test func withoutAHomeThereAreNoContexts() async throws {
    let desk = try Desk()
    let run = try await desk.nova("followers", "mock-user-id", "--mock", "--limit", "1", environment: ["HOME": ""])
    #expect(run.status == 0, "\(run)")
    let add = try await desk.nova("context", "add", "a", "--mock", environment: ["HOME": ""])
    #expect(add.status == 1 && add.errors.contains("there is no place for contexts"), "\(add)")
  }
}
