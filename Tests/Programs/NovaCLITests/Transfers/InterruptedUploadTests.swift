import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

#if os(Linux)
  /// Signals pause uploads, and the message says how to continue.
  @Suite(.hangLimit) struct InterruptedUploadTests {
    private static let chunk = 16 << 10

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalPauses(_ signal: Int32, _ status: Int32) async throws {
      let gateway = try KillingGateway(chunkSize: Self.chunk)
      let folder = try TemporaryFolder()
      let path = try folder.write([UInt8](repeating: 7, count: 3 * Self.chunk), to: "walk.bin")
      let environment = ["HOME": folder.path]
      gateway.endClient(with: signal, at: 2, .before)
      let run = try ProgramRun(
        ["upload", path, "--as", "ada", "--base-url", gateway.url], environment: environment)
      gateway.setVictim(run.processIdentifier)
      let result = try await run.result()
      #expect(result.status == status && result.output.isEmpty, "\(result)")
      #expect(result.errors.contains("nova: interrupted: paused walk.bin at 16.3/49.1 kB\n"), "\(result.errors)")
      #expect(result.errors.contains("      Continue with the same command, or with:\n        nova uploads resume "))
      let command = try #require(result.errors.split(separator: "\n").last).split(separator: " ").map(String.init)
      #expect(command.prefix(3) == ["nova", "uploads", "resume"] && command.count == 6, "\(result.errors)")

      let listed = try await ProgramRun(
        ["uploads", "list", "--base-url", gateway.url, "--fields", "id,file_name,uploaded_size,file_size,gateway"],
        environment: environment
      ).result()
      #expect(listed.lines == ["\(command[3])\twalk.bin\t16384\t49152\t\(gateway.url)"], "\(listed)")

      let resumed = try await ProgramRun(
        command.dropFirst() + ["--fields", "id,status,uploaded_size"],
        environment: environment
      ).result()
      #expect(resumed.status == 0 && gateway.started.count == 1, "\(resumed)")
      #expect(resumed.lines == ["\(gateway.started.first ?? "")\tcompleted\t49152"], "\(resumed)")
      #expect(resumed.errors.hasPrefix("walk.bin: resumed at 16.3/49.1 kB\n"), "\(resumed)")
    }

    /// On a terminal, the progress is on lines that fit, and gone when the message comes.
    @Test(arguments: [120, 80, 40] as [UInt16]) func aTerminalShowsTheProgress(_ columns: UInt16) async throws {
      let gateway = try KillingGateway(chunkSize: Self.chunk)
      let folder = try TemporaryFolder()
      let paths = try ["walk.bin", "a-name-that-does-not-fit-on-a-narrow-terminal.bin"].map {
        try folder.write([UInt8](repeating: 7, count: 3 * Self.chunk), to: $0)
      }
      gateway.endClient(with: SIGINT, at: 5, .before, delay: 900)
      let terminal = try PseudoTerminal(
        ["upload"] + paths + ["--as", "ada", "--base-url", gateway.url], columns: columns, showsErrors: true,
        environment: ["HOME": folder.path, "NO_COLOR": "1"])
      gateway.setVictim(terminal.processIdentifier)
      #expect(try await terminal.status() == 130)
      try await terminal.wait(for: "Continue with the same command.")
      let screen = terminal.output
      #expect(screen.contains("0/2 ") && screen.contains("kB"), "\(screen)")
      let progress = try screen[..<#require(screen.firstRange(of: "nova: interrupted")).lowerBound]
      let drawn = progress.replacing(#/\u{1B}\[[0-9;?]*[a-zA-Z]/#, with: "").split(whereSeparator: \.isNewline)
      for line in drawn { #expect(String(line).columns <= Int(columns), "\(line)") }
      #expect(progress.hasSuffix("\u{1B}[J") || progress.hasSuffix("\u{1B}[K"), "the lines are erased")
    }

    @Test func withMockDataNothingCanBeResumed() async throws {
      let list = try await nova("uploads", "list", "--mock")
      #expect(list.status == 0 && list.output.isEmpty && list.errors == "0 uploads to resume\n", "\(list)")
      #expect(
        try await nova("uploads", "list", "--mock", "-o", "json").output
          == "{\n  \"uploads\": [],\n  \"dropped\": []\n}\n")
      let all = try await nova("uploads", "resume", "--all", "--mock")
      #expect(all.status == 0 && all.errors == "no uploads to resume\n", "\(all)")
      for command in [["resume"], ["cancel", "--yes"]] {
        let run = try await ProgramRun(["uploads"] + command + ["nope", "--mock"]).result()
        #expect(
          run.status == 5
            && run.errors
              == "nova: not found: upload \"nope\"\n      With --mock, nothing can be resumed: the backend ends with the program.\n",
          "\(run)")
      }
    }
  }
#endif
