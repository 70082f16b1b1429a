import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Aliases, and programs on the PATH that are commands.
@Suite struct AliasCommandTests {
  @Test(
    arguments: [
      ("posts @me --limit 5", ["posts", "@me", "--limit", "5"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
      (#"a\ b c'"'"#, ["a b", "c\""]), ("a ''", ["a", ""]), ("  ", []), ("a 'b", nil), (#"a \"#, nil),
    ] as [(String, [String]?)])
  func linesAreSplitAsByShells(_ line: String, _ words: [String]?) { #expect(ShellLine.words(line) == words) }

  @Test(
    arguments: [
      ("posts", ["x"], ["posts", "x"]),
      ("comment $1 'Hi $2!'", ["p", "Ada", "-q"], ["comment", "p", "Hi Ada!", "-q"]),
      ("call $1 $@ --mock", ["r", "a=1", "b=2"], ["call", "r", "a=1", "b=2", "--mock"]), ("a $1", ["$2"], ["a", "$2"]),
      ("a $HOME", [], ["a", "$HOME"]), ("a $2", ["x"], nil),
    ] as [(String, [String], [String]?)])
  func argumentsTakeTheirPlaces(_ line: String, _ arguments: [String], _ expected: [String]?) throws {
    let alias = try #require(AliasExpansion("a", line: line))
    #expect((try? alias.expanded(arguments)) == expected)
  }

  @Test func anAliasIsACommand() async throws {
    let desk = try Desk()
    let none = try await desk.nova("alias")
    #expect(none.status == 0 && none.errors == "no aliases; add one with `nova alias set`\n", "\(none)")
    #expect(try await desk.nova("alias", "set", "top", "followers $1 --limit 1 --mock").status == 0)
    #expect(try await desk.nova("top", "mock-user-id", "-o", "ids").output == "user-1492\n")
    #expect(try await desk.nova("-o", "ids", "top", "mock-user-id").output == "user-1492\n")
    let missing = try await desk.nova("top")
    #expect(missing.status == 64 && missing.errors.contains("alias top requires 1, got 0"), "\(missing)")
    #expect(try await desk.nova("alias", "list", "-o", "ids").output == "top\n")
    #expect(try await desk.nova("help", "top").output.contains("is an alias of"))
    #expect(try await desk.nova("topp").errors.contains("Did you mean top?"))
    let changed = try await desk.nova("alias", "set", "top", "posts $1 --limit 1 --mock")
    #expect(changed.errors.contains("before, it ran nova followers"), "\(changed)")
    #expect(try await desk.nova("alias", "remove", "top").status == 0)
    #expect(try await desk.nova("top", "x").status == 64)
    #expect(try await desk.nova("alias", "remove", "top").status == 5)
  }

  @Test(arguments: [
    ["alias", "set", "post", "posts"], ["alias", "set", "a b", "posts"], ["alias", "set", "x", "pots"],
    ["alias", "set", "x", "posts 'a"], ["alias", "set", "x", ""], ["alias", "set", "x", "nova posts"],
    ["alias", "set", "help", "posts"],
  ])
  func whatIsNoAliasIsRefused(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments).result()
    #expect(run.status == 64, "\(run)")
  }

  @Test func aProgramOnThePathIsACommand() async throws {
    let desk = try Desk()
    let path = try desk.write("#!/bin/sh\necho \"ran:$*\"; exit 7\n", "bin/nova-review")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let places = "\(desk.home.path)/bin:/usr/bin:/bin"
    let run = try await desk.nova("review", "post-1", "--all", environment: ["PATH": places])
    #expect(run.status == 7 && run.output == "ran:post-1 --all\n", "\(run)")
    let before = try await desk.nova("--mock", "review", "x", environment: ["PATH": places])
    #expect(before.output == "ran:--mock x\n", "\(before)")
    let exact = try await desk.nova("review", "--depth", "-1", "-ojson", environment: ["PATH": places])
    #expect(exact.output == "ran:--depth -1 -ojson\n", "\(exact)")
    #expect(try await desk.nova("help", "review", environment: ["PATH": places]).output == "ran:--help\n")
    // What the current directory names is never run.
    let relative = try await desk.nova("review", environment: ["PATH": "../bin:/usr/bin"])
    #expect(relative.status == 64, "\(relative)")
    #expect(try await desk.nova("../bin/nova-review").status == 64)
  }

  @Test func theFileOfANewerVersionStays() async throws {
    let desk = try Desk()
    try await desk.nova("alias", "set", "x", "posts")
    let text = #"{"version":2,"aliases":{"x":{"line":"posts"}}}"#
    let path = try desk.write(text, ".config/nova/aliases.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    for command in [["list"], ["set", "y", "posts"], ["remove", "x"]] {
      let run = try await desk.run(["alias"] + command)
      #expect(
        run.status == 65 && run.errors.contains("has version 2, which a newer version of nova has written"), "\(run)")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// A damaged file does not hide what is wrong with the command line.
  @Test func aDamagedFileIsReportedWhereItIsUsed() async throws {
    let desk = try Desk()
    try await desk.nova("alias", "set", "x", "posts")
    try desk.write("{", ".config/nova/aliases.json")
    #expect(try await desk.nova("follwers").errors.contains("Did you mean followers?"))
    #expect(try await desk.nova("alias", "list").status == 65)
  }
}
