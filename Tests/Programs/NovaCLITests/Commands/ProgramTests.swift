import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct ProgramTests {
  /// Runs a line of shell script in which `$NOVA` is the program.
  private func shell(_ script: String) async throws -> RunResult {
    try await ProgramRun(
      ["-c", script], executable: URL(filePath: "/bin/sh"), environment: ["NOVA": try ProgramRun.program().path]
    ).result()
  }

  @Test func helpListsTheExitCodes() async throws {
    let run = try await nova("--help")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    for code in ["0 ", "1 ", "4 ", "5 ", "6 ", "64 ", "65 ", "74 ", "130 ", "141 "] {
      #expect(run.output.contains("\n  \(code)"))
    }
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try await nova("--version").output == "\(NovaSDKVersion.current)\n")
  }

  @Test(arguments: CommandTree.nova.subcommands.compactMap(\.path.first))
  func everyCommandHasHelp(_ command: String) async throws {
    let run = try await nova(command, "--help")
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: nova \(command)"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func shellsCompleteCommands(_ shell: String) async throws {
    let run = try await nova("completion", shell)
    #expect(run.status == 0)
    for word in ["unbookmark", "followers", "fields"] { #expect(run.output.contains(word)) }
  }

  @Test func aClosedPipeEndsQuietly() async throws {
    let script = #"{ "$NOVA" followers mock-user-id --mock --all -o ids; echo "status $?" >&2; } | head -1"#
    let run = try await shell(script)
    #expect(run.output == "user-1492\n")
    #expect(run.errors == "status 141\n")
    let records = try await shell(#"{ "$NOVA" posts mock-user-id --mock --all; echo "status $?" >&2; } | true"#)
    #expect(records.errors.hasSuffix("status 141\n"))
    let closed = try await shell(#""$NOVA" call --list | true"#)
    #expect(closed.errors.isEmpty)
  }

  /// `xargs` stops at a program that a signal has ended, and continues after any other code.
  @Test func programsInFrontOfAClosedPipeAreNotStartedInVain() async throws {
    let script = #"""
      seq 200 > ids
      env --default-signal=PIPE xargs -n1 sh -c 'echo started >> log; exec "$NOVA" call --list' < ids 2>errors | true
      wc -l < log; cat errors
      """#
    let run = try await shell(script)
    #expect((run.lines.first.flatMap { Int($0.filter { $0 != " " }) } ?? 99) < 20, "\(run)")
    let ignoring = try await shell(
      #"trap '' PIPE; { "$NOVA" followers mock-user-id --mock --all -o ids; echo "status $?" >&2; } | true"#)
    #expect(ignoring.errors == "status 141\n", "\(ignoring)")
  }

  /// Otherwise the next file or socket would get the number of the closed one.
  @Test func missingStandardDescriptorsAreNobodyElses() async throws {
    let script = #"""
      "$NOVA" followers mock-user-id --mock --limit 1 >&-; echo "status $?"
      "$NOVA" followers mock-user-id --mock --limit 1 2>&-; echo "status $?"
      "$NOVA" followers mock-user-id --mock --limit 1 -o ids <&-; echo "status $?"
      "$NOVA" login bruce@nova.social --mock --password-stdin <&-; echo "status $?"
      "$NOVA" follow user-0001 user-0002 --mock >&-; echo "status $?"
      "$NOVA" openapi --out api.yaml <&- >&- 2>&-; echo "status $?"
      grep -c openapi api.yaml
      """#
    let run = try await shell(script)
    #expect(
      run.lines == [
        "status 1", "user-1492\tyara_1492", "status 0", "user-1492", "status 0", "status 65", "status 0", "status 0",
        "1",
      ], "\(run)")
    #expect(run.errors.contains("nova: cannot write the output: standard output is closed\n"), "\(run)")
  }

  @Test(arguments: [8, 12, 14]) func tooFewDescriptorsAreReported(_ count: Int) async throws {
    let script = #"ulimit -n \#(count); "$NOVA" \#("followers u1 --base-url http://127.0.0.1:9")"#
    let run = try await shell(script)
    #expect(
      run.status == 1 && run.errors.hasPrefix("nova: cannot open files and connections: Too many open files\n"),
      "\(run)")
  }

  /// A gateway that creates posts, and counts them.
  private static let poster: RawServer.Script = { connection in
    while try connection.readRequest() != nil {
      try connection.respond(
        headers: ["Content-Type: application/json"],
        body: Array(
          #"{"post":{"id":"p9","creator_id":"u1","content":"hello","created_at":1,"privacy":"public","status":"published"}}"#
            .utf8))
    }
  }

  @Test(arguments: [
    "post create --as u1 hello", #"call content.CreatePost '{"creator_id":"u1","content":"hello"}'"#,
    "follow u1 u2 -o json",
  ])
  func nothingIsSentWithoutAnOutput(_ command: String) async throws {
    try await withRawServer(Self.poster) { server in
      let run = try await shell(#""$NOVA" \#(command) --base-url \#(server.url("")) >&-"#)
      #expect(run.status == 1 && run.errors == "nova: cannot write the output: standard output is closed\n", "\(run)")
      #expect(server.requests.isEmpty)
    }
  }

  #if os(Linux)
    @Test(arguments: [
      "post create --as u1 hello", #"call content.CreatePost '{"creator_id":"u1","content":"hello"}'"#,
      "post create --as u1 hello -o ids",
    ])
    func aChangeIsReportedAlsoWithoutItsOutput(_ command: String) async throws {
      try await withRawServer(Self.poster) { server in
        let run = try await shell(#""$NOVA" \#(command) --base-url \#(server.url("")) >/dev/full"#)
        #expect(run.status == 1 && server.requests.count == 1)
        #expect(
          run.errors.hasSuffix(
            "No space left on device\n      The change was made (content.CreatePost): its ID is \"p9\".\n"), "\(run)")
      }
    }
  #endif

  #if os(Linux)
    /// As `/dev/stdout`, which root could replace.
    @Test func aNameOfStandardOutputIsWrittenTo() async throws {
      let run = try await shell(
        #"""
        folder=$(mktemp -d) && cd "$folder" && echo first > file && ln -s /proc/self/fd/1 link
        "$NOVA" openapi --out link >> file
        head -c 7 file && test -L link && echo " link"
        rm -r "$folder"
        """#)
      #expect(run.output == "first\n{ link\n", "\(run)")
    }

    @Test func aFullDiskIsAFailure() async throws {
      let run = try await shell(#""$NOVA" followers mock-user-id --mock > /dev/full"#)
      #expect(run.status == 1)
      #expect(run.errors == "nova: cannot write the output: No space left on device\n")
    }

    @Test func colouresAreForTerminals() async throws {
      let command = #""$NOVA" followers mock-user-id --mock --limit 1"#
      let plain = try await nova("followers", "mock-user-id", "--mock", "--limit", "1")
      #expect(!plain.output.contains("\u{1B}"))
      #expect(!plain.errors.contains("\u{1B}"))
      let terminal = try await shell("TERM=xterm script -qec '\(command)' /dev/null < /dev/null")
      #expect(terminal.output.contains("\u{1B}[1mUSER ID"))
      for variable in ["NO_COLOR=1 TERM=xterm", "TERM=dumb"] {
        let without = try await shell("\(variable) script -qec '\(command)' /dev/null < /dev/null")
        #expect(without.output.contains("USER ID"))
        #expect(!without.output.contains("\u{1B}"))
      }
    }

    @Test func linesFitTheTerminal() async throws {
      let command = #"stty cols 60; "$NOVA" posts mock-user-id --mock --limit 3"#
      let run = try await shell("TERM=dumb script -qec '\(command)' /dev/null < /dev/null")
      let lines = run.output.split(separator: "\r\n").prefix(4)
      #expect(lines.count == 4)
      #expect(lines.allSatisfy { $0.count <= 60 })
      #expect(lines.last?.hasSuffix("…") == true)
    }

    @Test func passwordsAreAskedForAndNotShown() async throws {
      let run = try await shell(
        """
        screen=$(mktemp); export screen
        answer() { for i in $(seq 500); do grep -q "$1" "$screen" && break; sleep 0.02; done; printf '%s\\r' "$2"; }
        { answer Password: 's3cret-horse'; answer Again: 's3cret-horse'; answer registered ''; } |
          TERM=dumb script -qfec '"$NOVA" register ada@example.com ada --mock' "$screen" > /dev/null
        echo "status $?"; cat "$screen"; rm "$screen"
        """)
      #expect(run.output.hasPrefix("status 0\n"))
      #expect(run.output.contains("USER ID  user-registered-1"))
      #expect(!run.output.contains("s3cret"))
    }

    @Test(arguments: ["--help", "followers mock-user-id --mock", "call --list", "config show"])
    func libcurlIsNotLoadedBeforeItIsNeeded(_ arguments: String) async throws {
      let run = try await shell(#"LD_DEBUG=libs "$NOVA" \#(arguments) 2>&1"#)
      #expect(run.output.contains("libswiftCore"))
      #expect(!run.output.contains("libcurl"))
      #expect(!run.output.contains("libFoundation.so"))
    }
  #endif

  @Test func verboseLogsRequests() async throws {
    let run = try await nova("followers", "mock-user-id", "--mock", "--verbose", "--limit", "1")
    #expect(run.errors.contains("Sending request"))
    #expect(run.output == "user-1492\tyara_1492\n")
    let quiet = try await nova(
      "followers", "mock-user-id", "--mock", "--verbose", environment: ["NOVA_LOG_LEVEL": "error"])
    #expect(!quiet.errors.contains("Sending request"))
  }
}
