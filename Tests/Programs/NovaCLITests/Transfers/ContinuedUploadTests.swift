import Foundation
import NovaCore
import NovaTestSupport
import Testing

#if os(Linux)
  /// The same command, or the one that the message names, continues what was interrupted.
  @Suite(.hangLimit) struct ContinuedUploadTests {
    private static let chunk = 16 << 10

    /// A folder with a video of three chunks and a small file, and a gateway.
    private struct Desk {
      let gateway: KillingGateway
      let folder: TemporaryFolder

      init() throws {
        gateway = try KillingGateway(chunkSize: chunk)
        folder = try TemporaryFolder()
        try writeVideo(7)
        _ = try folder.write("small", to: "a.bin")
        _ = try folder.write("other", to: "c.bin")
      }

      func writeVideo(_ byte: UInt8) throws {
        let start: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8)
        _ = try folder.write(start + [UInt8](repeating: byte, count: 3 * chunk - start.count), to: "walk.mp4")
      }

      func run(_ arguments: [String]) async throws -> RunResult {
        let run = try ProgramRun(
          arguments, environment: ["HOME": folder.path], directory: URL(filePath: folder.path))
        gateway.setVictim(run.processIdentifier)
        return try await run.result()
      }

      /// Runs a command, and ends it at one of its requests.
      func interrupted(_ arguments: [String], at request: Int, with signal: Int32 = SIGINT) async throws -> RunResult {
        gateway.endClient(with: signal, at: request, .before)
        let result = try await run(arguments)
        #expect(result.status == 128 + signal, "\(result)")
        return result
      }

      func arguments(_ command: String...) -> [String] { command + ["--as", "ada", "--base-url", gateway.url] }

      func pending() async throws -> [String] {
        try await run(["uploads", "list", "-o", "ids", "--base-url", gateway.url]).lines
      }
    }

    @Test func theSameFileContinues() async throws {
      let desk = try Desk()
      let upload = desk.arguments("upload", "walk.mp4")
      _ = try await desk.interrupted(upload, at: 2)
      let id = try #require(try await desk.pending().first)
      let run = try await desk.run(upload + ["-o", "ids"])
      #expect(run.status == 0 && run.lines == Array(desk.gateway.started), "\(run)")
      #expect(
        run.errors.hasPrefix(
          "walk.mp4: continuing upload \(id), which was interrupted at 16.3/49.1 kB\nwalk.mp4: resumed at 16.3/49.1 kB\n"
        ), "\(run)")
      #expect(desk.gateway.requests.reduce(0) { $0 + $1.byteCount } <= 4 * Self.chunk)
      #expect(try await desk.pending().isEmpty)
    }

    /// What is another upload starts over.
    @Test func onlyTheSameUploadContinues() async throws {
      let desk = try Desk()
      _ = try await desk.interrupted(desk.arguments("upload", "walk.mp4"), at: 2)
      let others = [
        ["upload", "walk.mp4", "--as", "bob"], ["upload", "walk.mp4", "--as", "ada", "--type", "video/x-walk"],
      ]
      for arguments in others {
        let run = try await desk.run(arguments + ["--base-url", desk.gateway.url])
        #expect(run.status == 0 && !run.errors.contains("continuing"), "\(run)")
      }
      try desk.writeVideo(8)
      let changed = try await desk.run(desk.arguments("upload", "walk.mp4"))
      #expect(changed.status == 0 && !changed.errors.contains("continuing"), "\(changed)")
      #expect(desk.gateway.started.count == 4)
      #expect(try await desk.pending().count == 1)
    }

    @Test func anUploadThatTheServerDoesNotHaveStartsOver() async throws {
      let desk = try Desk()
      _ = try await desk.interrupted(desk.arguments("upload", "walk.mp4"), at: 2)
      let id = try #require(try await desk.pending().first)
      let journal = ".local/state/nova/uploads/\(id).upload"
      let record = String(decoding: try desk.folder.bytes(journal), as: UTF8.self)
      let server = try #require(desk.gateway.started.first)
      _ = try desk.folder.write(record.replacing("\"\(server)\"", with: "\"upload-99\""), to: journal)
      let run = try await desk.run(desk.arguments("upload", "walk.mp4", "-o", "ids"))
      #expect(run.status == 0 && desk.gateway.started.count == 2, "\(run)")
      #expect(
        run.errors.contains(
          "walk.mp4: starting over: the server does not have upload \"upload-99\" anymore\nwalk.mp4: started, 49.1 kB\n"
        ), "\(run)")
      #expect(try await desk.pending().isEmpty)
    }

    /// What the server has is not sent again because of a failure that may pass.
    @Test func aFailureKeepsTheUpload() async throws {
      let desk = try Desk()
      let upload = desk.arguments("upload", "walk.mp4", "-o", "ids")
      _ = try await desk.interrupted(upload, at: 2)
      let ids = try await desk.pending()
      let answer = Array(#"{"code":9,"message":"not now"}"#.utf8)
      for status in [400, 412] {
        desk.gateway.refuse(
          "upload", with: HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: answer))
        let run = try await desk.run(upload)
        #expect(run.status != 0 && !run.errors.contains("starting over"), "\(run)")
        #expect(
          !run.errors.contains("uploads cancel") && run.errors.contains("nova uploads resume \(ids[0])"), "\(run)")
        #expect(try await desk.pending() == ids)
      }
      desk.gateway.refuse("upload", with: nil)
      let run = try await desk.run(upload)
      #expect(run.status == 0 && run.lines == Array(desk.gateway.started), "\(run)")
    }

    /// A message never advises to repeat what fails for ever.
    @Test func theAdviceFitsTheFailure() async throws {
      let desk = try Desk()
      let upload = desk.arguments("upload", "walk.mp4", "-q")
      let headers: HTTPHeaders = ["Content-Type": "application/json"]
      let conflict = HTTPResponse(status: 409, headers: headers, body: Array(#"{"code":6,"message":"busy"}"#.utf8))
      desk.gateway.refuse("complete", with: conflict)
      let refused = try await desk.run(upload)
      #expect(refused.status == 1 && refused.errors.contains("Try again later."), "\(refused)")
      desk.gateway.refuse("complete", with: nil)
      let id = try #require(try await desk.pending().first)
      #expect(refused.errors.contains("`nova uploads cancel \(id)`"), "\(refused)")
      let server = try #require(desk.gateway.started.first)
      let answer = #"{"found":true,"upload":{"id":"\#(server)","status":"completed","uploaded_size":5}}"#
      desk.gateway.refuse("upload", with: HTTPResponse(status: 200, headers: headers, body: Array(answer.utf8)))
      let contradicted = try await desk.run(upload)
      #expect(contradicted.status == 65 && !contradicted.errors.contains("Continue with"), "\(contradicted)")
      #expect(contradicted.errors.contains("`nova uploads cancel \(id)`"), "\(contradicted)")
      desk.gateway.refuse("upload", with: nil)
      let run = try await desk.run(upload)
      #expect(run.status == 0 && desk.gateway.started.count == 1, "\(run)")
    }

    /// As if another content had taken the place of the one that was begun.
    @Test func anotherContentStartsOver() async throws {
      let desk = try Desk()
      _ = try await desk.interrupted(desk.arguments("upload", "walk.mp4"), at: 2)
      let id = try #require(try await desk.pending().first)
      let journal = ".local/state/nova/uploads/\(id).upload"
      let record = String(decoding: try desk.folder.bytes(journal), as: UTF8.self)
      let other = String(repeating: "0", count: 64)
      let changed = record.replacing(#/"[0-9a-f]{64}"/#, with: "\"\(other)\"")
      try #require(changed != record)
      _ = try desk.folder.write(changed, to: journal)
      let resume = try await desk.run(["uploads", "resume", id, "--base-url", desk.gateway.url])
      #expect(resume.status == 1 && resume.errors.contains("Remove it with `nova uploads cancel \(id)`."), "\(resume)")
      let run = try await desk.run(desk.arguments("upload", "walk.mp4", "-o", "ids"))
      #expect(run.status == 0 && desk.gateway.started.count == 2, "\(run)")
      #expect(run.errors.contains("walk.mp4: starting over: the content of "), "\(run)")
      #expect(try await desk.pending().isEmpty)
    }

    /// An upload that cannot be resumed anymore is not part of the command for the rest.
    @Test func theCommandForTheRestHasOnlyWhatIsLeft() async throws {
      let desk = try Desk()
      for file in ["walk.mp4", "c.bin", "a.bin"] {
        _ = try await desk.interrupted(desk.arguments("upload", file), at: 1)
      }
      let ids = try await desk.pending()
      try #require(ids.count == 3)
      let journal = ".local/state/nova/uploads/\(ids[0]).upload"
      let record = String(decoding: try desk.folder.bytes(journal), as: UTF8.self)
      _ = try desk.folder.write(record.replacing(#/"upload-[0-9]+"/#, with: "\"upload-99\""), to: journal)
      let resume = ["uploads", "resume"] + ids + ["--concurrency", "1", "-o", "json", "--base-url", desk.gateway.url]
      let result = try await desk.interrupted(resume, at: 1)
      let failed = try JSONValue(jsonUTF8: Array(result.output.utf8))["failed"]?.elements ?? []
      #expect(failed.map { $0["resume_id"] } == [.null, .string(ids[1]), .string(ids[2])], "\(result)")
      let words = try #require(result.errors.split(separator: "\n").last).split(separator: " ").map(String.init)
      #expect(words == ["nova", "uploads", "resume", ids[1], ids[2], "--base-url", desk.gateway.url], "\(result)")
      let run = try await desk.run(Array(words.dropFirst()))
      #expect(run.status == 0 && run.lines.count == 2, "\(run)")
    }

    @Test(arguments: [["video", "create", "--title", "Our walk"], ["reel", "create", "--caption", "Our walk"]])
    func theRecordIsCreatedByTheSameCommand(_ command: [String]) async throws {
      let desk = try Desk()
      let create = command + desk.arguments("--file", "walk.mp4", "-o", "ids")
      let result = try await desk.interrupted(create, at: 2, with: SIGTERM)
      let advice = "it uploads the rest of the file, and then creates the \(command[0])."
      #expect(result.errors.contains("      Continue with the same command: \(advice)\n"), "\(result)")
      let run = try await desk.run(create)
      #expect(run.status == 0 && run.lines.count == 1 && desk.gateway.started.count == 1, "\(run)")
      #expect(try await desk.run([command[0], "show", run.lines[0], "--base-url", desk.gateway.url]).status == 0)
    }

    @Test func anExpiredUploadIsReported() async throws {
      let desk = try Desk()
      _ = try await desk.interrupted(desk.arguments("upload", "walk.mp4"), at: 2)
      let id = try #require(try await desk.pending().first)
      let journal = ".local/state/nova/uploads/\(id).upload"
      let record = String(decoding: try desk.folder.bytes(journal), as: UTF8.self)
      _ = try desk.folder.write(record.replacing(#/"time":[0-9.]+/#, with: "\"time\":1"), to: journal)
      let run = try await desk.run(desk.arguments("upload", "walk.mp4"))
      #expect(
        run.status == 0
          && run.errors.contains("cannot resume walk.mp4: expired: no progress for more than 7 days\n"), "\(run)")
      #expect(desk.gateway.started.count == 2)
    }

    /// The step after the upload fails, and the message has the whole command for it.
    @Test func theSecondStepAlone() async throws {
      let desk = try Desk()
      let create = desk.arguments("video", "create", "--file", "walk.mp4", "--title", "Our walk")
      // start, three chunks, progress, complete.
      let result = try await desk.interrupted(create, at: 6)
      let upload = try #require(desk.gateway.started.first)
      let command = "nova video create --upload \(upload) --title 'Our walk' --as ada --base-url \(desk.gateway.url)"
      #expect(result.errors.contains("\n        \(command)\n"), "\(result)")
    }

    /// The completed file is not sent again, and the one that was not begun is not forgotten.
    @Test func theMessageNamesWhatIsLeft() async throws {
      let desk = try Desk()
      let upload = desk.arguments("upload", "a.bin", "walk.mp4", "c.bin", "--concurrency", "1", "-o", "json")
      // Those of the small file are start, bytes, progress, complete.
      let result = try await desk.interrupted(upload, at: 6)
      #expect(result.errors.contains("paused walk.mp4 at 16.3/49.1 kB; 1 of 3 files was not uploaded\n"), "\(result)")
      let id = try #require(try await desk.pending().first)
      let output = try JSONValue(jsonUTF8: Array(result.output.utf8))
      #expect(output["uploads"]?.elements?.count == 1, "\(result)")
      let failed = output["failed"]?.elements ?? []
      #expect(
        failed == [
          .members(("file_name", .string("walk.mp4")), ("error", .string("interrupted")), ("resume_id", .string(id))),
          .members(("file_name", .string("c.bin")), ("error", .string("interrupted")), ("resume_id", .null)),
        ], "\(result)")
      let line = try #require(result.errors.split(separator: "\n").last)
      let words = line.split(separator: " ").map(String.init)
      let left = desk.arguments("upload", "walk.mp4", "c.bin", "--concurrency", "1", "-o", "json")
      #expect(words == ["nova"] + left, "\(result)")
      let run = try await desk.run(Array(words.dropFirst()))
      #expect(run.status == 0 && desk.gateway.started.count == 3, "\(run)")
    }

    @Test func aPostKeepsWhatIsUploaded() async throws {
      let desk = try Desk()
      _ = try await desk.interrupted(desk.arguments("upload", "c.bin"), at: 0)
      // The upload that continues begins with fewer requests than the other one.
      let post = desk.arguments("post", "create", "Our walk", "--media", "a.bin", "--media", "walk.mp4", "-o", "ids")
      let result = try await desk.interrupted(post, at: 0)
      #expect(result.errors.contains("Continue with the same command: it uploads the rest"), "\(result)")
      let run = try await desk.run(post)
      #expect(run.status == 0 && run.lines.count == 1, "\(run)")
    }

    @Test func filesOfAPostAreNotSentAgain() async throws {
      let desk = try Desk()
      let post = desk.arguments("post", "create", "Walk", "--media", "a.bin", "--media=walk.mp4")
      // Four requests for the small file, and six for the other.
      let result = try await desk.interrupted(post, at: 10)
      #expect(result.errors.contains("nova: interrupted: the files are uploaded, but the post is not created"))
      let line = try #require(result.errors.split(separator: "\n").last)
      let words = line.split(separator: " ").map(String.init)
      #expect(words.prefix(5) == ["nova", "post", "create", "Walk", "--media"] && words.count == 12, "\(result)")
      let count = desk.gateway.requests.count
      let run = try await desk.run(words.dropFirst() + ["-o", "json"])
      let media = try JSONValue(jsonUTF8: Array(run.output.utf8))["media_ids"]?.elements?.compactMap(\.stringValue)
      #expect(Set(media ?? []) == desk.gateway.started && media?.count == 2, "\(run)")
      #expect(!desk.gateway.requests.dropFirst(count).contains { $0.step == "bytes" || $0.step == "start" })
    }

    @Test func anAvatarStaysAsItIs() async throws {
      let desk = try Desk()
      _ = try desk.folder.write([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 3, count: 996), to: "me.jpg")
      let result = try await desk.interrupted(desk.arguments("avatar", "set", "me.jpg"), at: 1)
      #expect(
        result.errors.hasSuffix(
          "nova: interrupted: me.jpg was not uploaded\n      The profile picture is unchanged; run the same command again.\n"
        ), "\(result)")
      #expect(try await desk.pending().isEmpty)
    }

    /// What is complete is on the terminal when the program is killed.
    @Test func idsSurviveAKill() async throws {
      let desk = try Desk()
      desk.gateway.endClient(with: SIGKILL, at: 6, .before)
      let terminal = try PseudoTerminal(
        ["upload", "\(desk.folder.path)/a.bin", "\(desk.folder.path)/walk.mp4"] + desk.arguments("--concurrency", "1"),
        environment: ["HOME": desk.folder.path, "NO_COLOR": "1"])
      desk.gateway.setVictim(terminal.processIdentifier)
      _ = try await terminal.status()
      #expect(terminal.output.contains("a.bin") && terminal.output.contains("upload-"), "\(terminal.output)")
    }
  }
#endif
