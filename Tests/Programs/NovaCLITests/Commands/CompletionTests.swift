import ArgumentParser
import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Completion in the real shells.
@Suite struct CompletionTests {
  /// A command line whose last word is completed, and words that must and must not be offered.
  struct Line: Sendable, CustomTestStringConvertible {
    let words: [String]
    let offered: [String]
    var missing: [String] = []

    var testDescription: String { words.joined(separator: " ") }
  }

  static let lines = [
    Line(
      words: ["call", "graph.GetF"], offered: ["graph.GetFollowers", "graph.GetFollowing"], missing: ["feed.GetFeed"]),
    Line(words: ["bench", "graph.GetFollowi"], offered: ["graph.GetFollowing"]),
    Line(words: ["describe", "GetFollowersR"], offered: ["GetFollowersRequest", "GetFollowersResponse"]),
    Line(words: ["describe", "gr"], offered: ["graph", "graph.GetFollowers"]),
    Line(words: ["decode", "GetFollowersR"], offered: ["GetFollowersResponse"], missing: ["Post"]),
    Line(words: ["followers", "x", "--output", ""], offered: ["table", "json", "ndjson", "ids"]),
    Line(words: ["followers", "x", "--environment", ""], offered: ["development", "staging", "production"]),
    Line(words: ["uploads", ""], offered: ["list", "resume", "cancel"]),
    Line(words: ["analytics", ""], offered: ["show", "flush", "off", "on"]),
    Line(words: ["post", ""], offered: ["show", "create", "edit", "delete"]),
    Line(words: ["fixtures", "generate", "--entities", "us"], offered: ["users"], missing: ["posts"]),
    Line(words: ["completion", ""], offered: ["bash", "zsh", "fish"]),
    Line(words: ["--moc"], offered: ["--mock"]), Line(words: ["--mock", "follower"], offered: ["followers"]),
    Line(words: ["--environment", ""], offered: ["development", "staging", "production"]),
    Line(words: ["--output", "nd"], offered: ["ndjson"]),
    Line(
      words: ["followers", "x", "--fields", "user_id,us"], offered: ["user_id,username"],
      missing: ["user_id,user_id", "user_id,bio"]),
    Line(words: ["post", "show", "x", "--fields", "cont"], offered: ["content"]),
    Line(words: ["call", "graph.GetFollowers", "use"], offered: ["user_id="], missing: ["limit="]),
    Line(words: ["config", "set", "retry.att"], offered: ["retry.attempts"]),
  ]

  /// The script of each shell; made once, because it takes seconds in a debug build.
  private static let scripts = Dictionary(
    uniqueKeysWithValues: Completion.Shell.allCases.map { ($0.rawValue, CompletionRoot.script(for: $0.kind)) })

  @Test(arguments: Completion.Shell.allCases) func theProgramPrintsTheScript(_ shell: Completion.Shell) async throws {
    #expect(try await nova("completion", shell.rawValue).output == Self.scripts[shell.rawValue].map { $0 + "\n" })
  }

  private func script(_ shell: String, in folder: URL) throws -> URL {
    let file = folder.appending(path: shell == "zsh" ? "_nova" : "nova.\(shell)")
    try Data(try #require(Self.scripts[shell]).utf8).write(to: file)
    return file
  }

  private func offered(_ shell: String, _ script: String) async throws -> Set<String> {
    let path = try ProgramRun.program().deletingLastPathComponent().path
    let shells = ["/usr/bin/\(shell)", "/bin/\(shell)"].map { URL(filePath: $0) }
    let program = try #require(shells.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "no \(shell)")
    let run = try await ProgramRun(
      shell == "zsh"
        ? ["-f", "-c", script] : shell == "fish" ? ["--no-config", "-c", script] : ["--norc", "-c", script],
      executable: program, environment: ["PATH": "\(path):/usr/bin:/bin", "TERM": "dumb"]
    ).result()
    #expect(run.status == 0, "\(run.errors)")
    let words = run.output.split(whereSeparator: \.isNewline).map { $0.split(separator: "\t")[0] }
    return Set(words.map { String($0).replacing(#/ +$/#, with: "") })
  }

  @Test(arguments: lines) func bashCompletes(_ line: Line) async throws {
    try await withFolder { folder in
      let file = try script("bash", in: folder)
      let words = (["nova"] + line.words).map { "'\($0)'" }.joined(separator: " ")
      let offered = try await offered(
        "bash",
        """
        source '\(file.path)'
        COMP_WORDS=(\(words)); COMP_CWORD=\(line.words.count)
        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
        _nova nova "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" || true
        [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
        """)
      check(offered, line)
    }
  }

  @Test(arguments: lines) func fishCompletes(_ line: Line) async throws {
    try await withFolder { folder in
      let file = try script("fish", in: folder)
      let text = (["nova"] + line.words).joined(separator: " ")
      // Outside of its line editor, fish has no command line.
      let offered = try await offered(
        "fish",
        """
        source '\(file.path)'
        set -g line '\(text)'
        function commandline
          set -l words (string split ' ' -- $line)
          switch "$argv"
            case '*-pc'
              printf '%s\\n' $words[1..-2]
            case '*-tC'
              string length -- $words[-1]
            case '*-t'
              printf '%s\\n' $words[-1]
            case '*'
              printf '%s\\n' $words
          end
        end
        complete -C $line
        """)
      check(offered, line)
    }
  }

  /// zsh shows completions only in its line editor: on a terminal of its own.
  @Test(arguments: lines) func zshCompletes(_ line: Line) async throws {
    try await withFolder { folder in
      let file = try script("zsh", in: folder)
      let text = (["nova"] + line.words).joined(separator: " ")
      let offered = try await offered(
        "zsh",
        #"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; fpath=('\#(file.deletingLastPathComponent().path)' $fpath)'
        zpty -w shell 'autoload -U compinit; compinit -u -D; stty columns 200 rows 200'
        zpty -w shell 'compadd () { local -a found; builtin compadd -O found "$@"; print -rl -- $found >> \#(folder.path)/found; builtin compadd "$@" }'
        zpty -w shell 'print ready-\#(line.words.count)'
        zpty -r shell answer '*ready-\#(line.words.count)*'
        zpty -w -n shell '\#(text)'$'\t'
        for attempt in {1..200}; do [[ -s \#(folder.path)/found ]] && break; sleep 0.05; done
        sleep 0.3
        zpty -d shell
        [[ -e \#(folder.path)/found ]] && cat \#(folder.path)/found || true
        """#)
      check(offered, line)
    }
  }

  private func check(_ offered: Set<String>, _ line: Line) {
    #expect(Set(line.offered).subtracting(offered).isEmpty, "\(line): \(offered.sorted())")
    #expect(offered.intersection(line.missing).isEmpty, "\(line): \(offered.sorted())")
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-completion-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func filesAreCompletedBehindTheAt() async throws {
    try await withFolder { folder in
      for name in ["page.json", "pages", ".hidden"] {
        try Data().write(to: folder.appending(path: name))
      }
      let path = folder.path
      #expect(FileCompletion.path(in: "@\(path)/pa", after: nil)?.matches == ["@\(path)/page.json", "@\(path)/pages"])
      let split = FileCompletion.path(in: "\(path)/page.", after: "@")?.matches
      #expect(split == ["\(path)/page.json", "@\(path)/page.json"])
      #expect(FileCompletion.path(in: "@\(path)/.h", after: nil)?.matches == ["@\(path)/.hidden"])
      #expect(FileCompletion.path(in: "page", after: "x") == nil)
    }
  }

  /// The parser makes the scripts, and these parts of them are replaced.
  @Test func noSpaceFollowsTheNameOfAField() throws {
    let bash = try #require(Self.scripts["bash"])
    #expect(bash.hasSuffix("complete -o filenames -F _nova_words nova"), "\(bash.suffix(200))")
    #expect(try #require(Self.scripts["zsh"]).contains("-- field_completions -S ''"))
  }

  @Test(arguments: [
    ("graph.getf", ["graph.GetFollowers"]), ("graph.GetF", ["graph.GetFollowers"]), ("x", []),
    ("", ["graph.GetFollowers", "a"]),
  ])
  func namesMatchInAnyCase(_ prefix: String, _ expected: [String]) {
    #expect(Completions.matches(prefix, ["graph.GetFollowers", "a"]) == expected)
  }
}
