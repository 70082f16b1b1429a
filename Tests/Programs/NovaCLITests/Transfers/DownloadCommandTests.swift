import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct DownloadCommandTests {
  private static let content = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

  /// A server with one file, which supports ranges.
  private func withFile(_ body: (FaultServer, TemporaryFolder) async throws -> Void) async throws {
    let server = try FaultServer { request in
      guard request.url.path.hasSuffix("/walk.mp4") || request.url.path == "/" else { return HTTPResponse(status: 404) }
      let headers: HTTPHeaders = ["Content-Type": "video/mp4", "ETag": "\"a\"", "Accept-Ranges": "bytes"]
      guard let range = request.headers["Range"], let first = Int(range.dropFirst(6).prefix { $0 != "-" }) else {
        return HTTPResponse(status: 200, headers: headers, body: Self.content)
      }
      var partial = headers
      partial["Content-Range"] = "bytes \(first)-\(Self.content.count - 1)/\(Self.content.count)"
      return HTTPResponse(status: 206, headers: partial, body: Array(Self.content[first...]))
    }
    defer { server.stop() }
    try await body(server, try TemporaryFolder())
  }

  private func run(_ folder: TemporaryFolder, _ arguments: String...) async throws -> RunResult {
    try await run(folder, arguments)
  }

  private func run(_ folder: TemporaryFolder, _ arguments: [String]) async throws -> RunResult {
    try await ProgramRun(
      arguments, environment: ["HOME": folder.path], directory: URL(filePath: folder.path)
    ).result()
  }

  @Test func theURLNamesTheFile() async throws {
    try await withFile { server, folder in
      let first = try await run(folder, "download", "\(server.url)/walk.mp4")
      #expect(first.status == 0 && first.output.isEmpty, "\(first)")
      #expect(first.errors.hasSuffix("downloaded walk.mp4: 100.0 kB\n"), "\(first)")
      #expect(try folder.bytes("walk.mp4") == Self.content)
      let again = try await run(folder, "download", "\(server.url)/walk.mp4", "-q")
      #expect(again.status == 1 && again.errors.hasPrefix("nova: cannot write walk.mp4: the file exists\n"), "\(again)")
      #expect(try await run(folder, "download", "\(server.url)/walk.mp4", "--force", "-q").status == 0)
      #expect(folder.names == ["walk.mp4"], "nothing else is left")
      let nameless = try await run(folder, "download", server.url + "/")
      #expect(nameless.status == 64 && nameless.errors.contains("--out"), "\(nameless)")
      #expect(try await run(folder, "download", server.url + "/", "-o", ".").status == 64)
    }
  }

  @Test func standardOutputGetsTheBytes() async throws {
    try await withFile { server, folder in
      let program = try ProgramRun.program().path
      let script = "'\(program)' download '\(server.url)/walk.mp4' -o - -q > copy"
      let result = try await ProgramRun(
        ["-c", script], executable: URL(filePath: "/bin/sh"), directory: URL(filePath: folder.path)
      ).result()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      #expect(try folder.bytes("copy") == Self.content)
      let closed = try await ProgramRun(
        ["-c", "{ '\(program)' download '\(server.url)/walk.mp4' -o - -q; echo $? >&2; } | true"],
        executable: URL(filePath: "/bin/sh")
      ).result()
      #expect(closed.errors == "141\n", "\(closed)")
      let terminal = try PseudoTerminal(["download", "\(server.url)/walk.mp4", "-o", "-"], showsErrors: true)
      #expect(try await terminal.status() == 64)
      try await terminal.wait(for: "it is a terminal")
    }
  }

  @Test func whatIsNotThereIs5() async throws {
    try await withFile { server, folder in
      let url = try await run(folder, "download", "\(server.url)/none", "-o", "x", "-q")
      #expect(url.status == 5 && url.output.isEmpty, "\(url)")
      let upload = try await run(folder, "download", "nope", "--mock")
      #expect(upload.status == 5 && upload.errors.hasPrefix("nova: not found: upload \"nope\"\n"), "\(upload)")
      #expect(folder.names.isEmpty, "\(folder.names)")
    }
  }

  @Test func theCacheIsReadThrough() async throws {
    try await withFile { server, folder in
      for name in ["a", "b"] {
        let run = try await run(folder, "download", "\(server.url)/walk.mp4", "-o", name, "--cache", "-q")
        #expect(run.status == 0, "\(run)")
        #expect(try folder.bytes(name) == Self.content)
      }
      let info = try await run(folder, "cache", "info", "-o", "json")
      let entries = try JSONValue(jsonUTF8: Array(info.output.utf8))["entry_count"]
      #expect(info.status == 0 && entries == .number("1"), "\(info)")
      #expect(try await run(folder, "cache", "clear").status == 64)
      // Elsewhere than on a terminal, the values are for scripts.
      let rows = try await run(folder, "cache", "info").lines
      let bytes = try #require(try JSONValue(jsonUTF8: Array(info.output.utf8))["byte_count"]?.integerValue)
      #expect(rows.contains("SIZE       \(bytes)") && rows.contains("LIMIT      268435456"), "\(rows)")
      let times = rows.filter { $0.hasPrefix("OLDEST") || $0.hasPrefix("NEWEST") }
      #expect(times.count == 2 && times.allSatisfy { $0.hasSuffix("Z") }, "\(rows)")
      let oldest = try JSONValue(jsonUTF8: Array(info.output.utf8))["oldest_used_at"]?.integerValue
      #expect((oldest ?? 0) > 1_700_000_000, "\(info)")
      let terminal = try PseudoTerminal(["cache", "info"], environment: ["HOME": folder.path])
      #expect(try await terminal.status() == 0)
      for text in ["  1\r\n", "  268.4 MB\r\n", "just now\r\n"] { try await terminal.wait(for: text) }
      let clear = try await run(folder, "cache", "clear", "--yes")
      #expect(clear.status == 0 && clear.errors.hasPrefix("removed 1 entry, "), "\(clear)")
      #expect(try await run(folder, "cache", "info").output.contains("ENTRIES    0\n"))
      #expect(try await run(folder, "cache", "info").output.contains("OLDEST     -\n"))
    }
  }

  /// The gateway decides for each user, whatever the cache has for another one.
  @Test func theCacheKeepsUsersApart() async throws {
    let storage = try FaultServer { _ in
      HTTPResponse(status: 200, headers: ["Cache-Control": "public, max-age=600"], body: Self.content)
    }
    defer { storage.stop() }
    let target = storage.url
    let gateway = try FaultServer { request in
      guard request.headers["Authorization"] == "Bearer ada" else { return HTTPResponse(status: 403) }
      let headers: HTTPHeaders = ["Location": "\(target)/file", "Cache-Control": "private, no-store"]
      return request.url.path == "/own.mp4"
        ? HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=600"], body: Self.content)
        : HTTPResponse(status: 302, headers: headers)
    }
    defer { gateway.stop() }
    let folder = try TemporaryFolder()
    for path in ["/walk.mp4", "/own.mp4"] {
      for (token, status) in [("ada", 0), ("bob", 1), ("", 1), ("ada", 0)] {
        var environment = ["HOME": folder.path]
        environment["NOVA_TOKEN"] = token.isEmpty ? nil : token
        let run = try await ProgramRun(
          ["download", path, "-o", "copy", "--force", "--cache", "-q", "--base-url", gateway.url],
          environment: environment, directory: URL(filePath: folder.path)
        ).result()
        #expect((run.status == 0) == (status == 0), "\(path) for \(token): \(run)")
      }
    }
    // Ada's own file was stored for her.
    #expect(gateway.requests.filter { $0.url.path == "/own.mp4" }.count == 3)
    #expect(gateway.requests.filter { $0.url.path == "/walk.mp4" }.count == 4)
  }

  /// The mock backend sends digests, so bytes that were changed on their way are noticed, and nothing of them stays.
  @Test(arguments: [[String](), ["--cache"]])
  func damagedBytesAreNotKept(options: [String]) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.content, to: "walk.mp4")
    try await withServe("--fault", "media.DownloadBytes=corruptx2") { url, _ in
      let connection = ["--base-url", url]
      let upload = try await run(
        folder, ["upload", "walk.mp4", "-q", "--as", "mock-user-id", "-o", "ids"] + connection)
      #expect(upload.status == 0, "\(upload)")
      let id = try #require(upload.lines.first)
      let download = ["download", id, "-q", "-o", "copy"] + options + connection
      let damaged = try await run(folder, download)
      #expect(damaged.status != 0 && damaged.output.isEmpty, "\(damaged)")
      #expect(damaged.errors.contains("do not have the digest that the server sent"), "\(damaged)")
      #expect(folder.names.filter { $0.hasPrefix("copy") }.isEmpty, "\(folder.names)")
      let piped = try await run(folder, ["download", id, "-q", "-o", "-"] + connection)
      #expect(piped.status != 0 && piped.errors.contains("digest"), "\(piped)")
      let again = try await run(folder, download)
      #expect(again.status == 0, "\(again)")
      #expect(try folder.bytes("copy") == Self.content)
    }
  }
}
