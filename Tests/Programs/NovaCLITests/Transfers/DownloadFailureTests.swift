import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// What `nova download` reports when a download fails or starts over, and where it writes.
@Suite(.hangLimit) struct DownloadFailureTests {
  private static let content = [UInt8](repeating: 7, count: 100_000)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> RunResult {
    try await ProgramRun(
      arguments, environment: ["HOME": folder.path], directory: URL(filePath: folder.path)
    ).result()
  }

  /// A server that ends the connection in the middle of `/lost`, is silent for `/hangs`, and has every other file whole.
  private func withServer(_ body: (RawServer) async throws -> Void) async throws {
    let part = "\(folder.path)/walk.mp4.part"
    let server = try RawServer { connection in
      while let request = try connection.readRequest() {
        let path = request.requestLine.split(separator: " ")[1]
        if path == "/403" {
          try connection.respond("403 Forbidden")
        } else if path == "/404" {
          try connection.respond("404 Not Found")
        } else if path == "/hangs" {
          return connection.hang()
        } else if path == "/lost" {
          // All requests but the first have a range.
          guard request.header("Range") == nil else { return }
          try connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(Self.content.count)\r\n\r\n")
          try connection.write(Array(Self.content[..<40_000]))
          for _ in 0..<10_000 where System.fileSize(part) != 40_000 { usleep(1000) }
          return
        } else {
          try connection.respond(headers: ["ETag: \"v1\""], body: Self.content)
        }
      }
    }
    defer { server.stop() }
    try await body(server)
  }

  @Test func aFailureNamesTheWayOn() async throws {
    try await withServer { server in
      let lost = try await run("download", server.url("/lost"), "-o", "walk.mp4", "-q")
      #expect(lost.status == 6, "\(lost)")
      #expect(
        lost.errors.contains("\n      40.0 kB are in walk.mp4.part: the same command continues after them."), "\(lost)")
      #expect(folder.names == ["walk.mp4.part", "walk.mp4.part.json"])
      // Another URL: until its bytes come, nothing is lost, and nothing is promised.
      let wrong = try await run("download", server.url("/404"), "-o", "walk.mp4", "-q")
      #expect(wrong.status == 5 && !wrong.errors.contains("same command"), "\(wrong)")
      #expect(wrong.errors.hasPrefix("nova: not found: no file at \(server.url("/404")) ("), "\(wrong)")
      #expect(try folder.bytes("walk.mp4.part").count == 40_000)
      let other = try await run("download", server.url("/other"), "-o", "walk.mp4")
      #expect(other.status == 0, "\(other)")
      let reason = "starting over: the bytes are those of another URL; discarded 40.0 kB of walk.mp4.part\n"
      #expect(other.errors.contains(reason), "\(other)")
      #expect(other.errors.hasSuffix("downloaded walk.mp4: 100.0 kB\n"), "\(other)")
    }
    #expect(folder.names == ["walk.mp4"])
  }

  /// `--timeout` is the advice only for the limit that it sets.
  @Test func eachTimeLimitHasItsAdvice() async throws {
    let silence = #"{"limits": {"idle_timeout_seconds": 0.2}, "retry": {"attempts": 1}}"#
    let config = try folder.write(silence, to: "silence.json")
    try await withServer { server in
      let (url, place) = (server.url("/hangs"), "127.0.0.1:\(server.port)")
      let late = try await run("download", url, "-o", "x", "-q", "--timeout", "1s")
      #expect(
        late.status == 6 && late.errors.contains("the download from \(place) did not finish within 1 s"), "\(late)")
      #expect(late.errors.contains("Allow more time with --timeout, for example --timeout 10m."), "\(late)")
      let silent = try await run("download", url, "-o", "x", "-q", "--config", config)
      #expect(silent.status == 6 && !silent.errors.contains("--timeout"), "\(silent)")
      #expect(silent.errors.contains("The server was silent for too long."), "\(silent)")
      let gateway = try await run(
        "download", "/hangs", "-o", "x", "-q", "--config", config, "--base-url", server.url(""))
      #expect(gateway.status == 6 && !gateway.errors.contains("--timeout"), "\(gateway)")
      #expect(gateway.errors.contains("The server was silent for too long."), "\(gateway)")
    }
  }

  /// Settings of the gateway change nothing about the URL of another server.
  @Test func otherServersHaveOtherAdvice() async throws {
    try await withServer { server in
      let refused = try await run("download", server.url("/403"), "-o", "x", "-q")
      #expect(refused.status == 4 && refused.errors.contains("The token is sent to the gateway only"), "\(refused)")
      #expect(!refused.errors.contains("nova login"), "\(refused)")
      let mock = try await run("download", server.url("/x"), "-o", "x", "-q", "--mock")
      #expect(mock.status == 5 && mock.errors.contains("--mock sends nothing: leave it out"), "\(mock)")
      let closed = try RawServer(listens: false) { _ in }
      defer { closed.stop() }
      let down = try await run("download", closed.url("/x"), "-o", "x", "-q")
      #expect(down.status == 6 && down.errors.contains("Check the URL, and whether its server runs."), "\(down)")
      #expect(!down.errors.contains("nova serve") && !down.errors.contains("context"), "\(down)")
    }
    for source in ["/media/1", "upload-1"] {
      let empty = try await run("download", source, "-o", "x", "-q", "--mock")
      #expect(empty.status == 5 && empty.errors.contains("begins without uploads"), "\(empty)")
      #expect(!empty.errors.contains("RPC"), "\(empty)")
    }
    #expect(folder.names.isEmpty)
  }

  @Test func devicesAndPipesTakeTheBytes() async throws {
    try await withServer { server in
      let null = try await run("download", server.url("/a"), "-o", "/dev/null")
      #expect(null.status == 0 && null.errors.hasSuffix("downloaded /dev/null: 100.0 kB\n"), "\(null)")
      let program = try ProgramRun.program().path
      let script = "mkfifo pipe; cat pipe > copy & '\(program)' download '\(server.url("/a"))' -o pipe && wait"
      let pipe = try await ProgramRun(
        ["-c", script], executable: URL(filePath: "/bin/sh"), directory: URL(filePath: folder.path)
      ).result()
      #expect(pipe.status == 0 && pipe.errors.hasSuffix("downloaded pipe: 100.0 kB\n"), "\(pipe)")
      #expect(try folder.bytes("copy") == Self.content)
    }
  }

  /// Standard output under another name would get the bytes and the JSON.
  @Test func jsonAndBytesDoNotMix() async throws {
    try await withServer { server in
      let program = try ProgramRun.program().path
      func shell(_ end: String) async throws -> RunResult {
        try await ProgramRun(
          ["-c", "'\(program)' download '\(server.url("/a"))' -q --json \(end)"], executable: URL(filePath: "/bin/sh"),
          directory: URL(filePath: folder.path)
        ).result()
      }
      for end in ["-o /dev/stdout", "-o /dev/fd/1", "--force -o /dev/stdout > file", "--force -o file >> file"] {
        let mixed = try await shell(end)
        #expect(mixed.status == 64 && mixed.output.isEmpty, "\(end): \(mixed)")
        #expect(mixed.errors.contains("it is standard output, where --json prints the result"), "\(end): \(mixed)")
      }
      #expect(server.requests.isEmpty)
      #expect(try folder.bytes("file").isEmpty && folder.names == ["file"])
      let null = try await shell("-o /dev/null > /dev/null")
      #expect(null.status == 0, "\(null)")
    }
  }

  @Test func placesAreCheckedFirst() async throws {
    let missing = try await run("download", "upload-1", "-o", "sub/", "--mock")
    #expect(missing.status == 1 && missing.errors.hasPrefix("nova: cannot write to sub/: there is no such directory\n"))
    try FileManager.default.createDirectory(atPath: "\(folder.path)/json", withIntermediateDirectories: false)
    try await withServer { server in
      let directory = try await run("download", server.url("/a"), "-o", "json", "--timeout", "20m")
      #expect(directory.status == 0 && directory.errors.hasSuffix("downloaded json/a: 100.0 kB\n"), "\(directory)")
      let file = try await run("download", server.url("/a"), "-o", "./table", "-q", "--timeout", "1h")
      #expect(file.status == 0, "\(file)")
      let none = try await run("download", server.url("/a"), "-o", "no/file", "-q")
      #expect(none.status == 1 && none.errors.contains("there is no directory \"no\"; create it"), "\(none)")
    }
  }

  @Test func aPlaceThatTakesNoFileIsNamed() async throws {
    let url = URL(filePath: folder.path)
    try FileManager.default.createDirectory(at: url.appending(path: "b.part.json"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "nowhere")
    try await withServer { server in
      let record = try await run("download", server.url("/a"), "-o", "b", "-q")
      #expect(record.status == 1 && record.errors.contains("b.part.json\": Is a directory;"), "\(record)")
      let link = try await run("download", server.url("/a"), "-o", "link", "-q")
      #expect(
        link.errors.hasPrefix("nova: cannot write link: a symbolic link is there that leads to no file\n"), "\(link)")
      let forced = try await run("download", server.url("/a"), "-o", "link", "-q", "--force")
      #expect(forced.status == 0, "\(forced)")
      let gone = try await ProgramRun(
        [
          "-c", #"mkdir gone && cd gone && rmdir ../gone && exec "$NOVA" download \#(server.url("/a")) -o x -q"#,
        ], executable: URL(filePath: "/bin/sh"), environment: ["NOVA": try ProgramRun.program().path]
      ).result()
      #expect(gone.status == 1 && gone.errors.contains("the current directory no longer exists; "), "\(gone)")
    }
  }

  /// The trace shows each request with its range, and what became of its body.
  @Test func explainShowsWhereADownloadWasCut() async throws {
    let isFirst = Locked(true)
    let server = try RawServer { connection in
      guard let request = try connection.readRequest() else { return }
      let isCut = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isCut else {
        let start = request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        let range = "Content-Range: bytes \(start)-\(Self.content.count - 1)/\(Self.content.count)"
        return try connection.respond(
          "206 Partial Content", headers: ["ETag: \"v1\"", range, "Connection: close"],
          body: Array(Self.content[start...])
        )
      }
      try connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(Self.content.count)\r\n\r\n")
      try connection.write(Array(Self.content[..<40_000]))
    }
    defer { server.stop() }
    let run = try await run("download", server.url("/a"), "-q", "--explain")
    let lines = run.errors.split(separator: "\n").map { $0.replacing(#/[0-9.]+ m?s|request [-0-9a-f]+/#, with: "…") }
    #expect(run.status == 0)
    #expect(
      lines == [
        "media.DownloadBytes took … and 1 attempt (…)", "  1. after …: HTTP 200 in …",
        "media.DownloadBytes received 40000 bytes in …, then failed: connectionLost (…)",
        "media.DownloadBytes took … and 1 attempt for bytes=40000- (…)", "  1. after …: HTTP 206 in …",
        "media.DownloadBytes received 60000 bytes in … (…)",
      ], "\(run.errors)")
  }
}
