import Foundation
import NovaCore
import NovaMedia
import NovaSDK
import NovaTestSupport
import Testing

/// The commands that upload, against a server.
@Suite(.hangLimit) struct UploadCommandTests {
  /// A folder with files, and a server.
  private struct Desk {
    let folder: TemporaryFolder
    let url: String

    func run(_ arguments: String...) async throws -> RunResult {
      try await ProgramRun(
        arguments + ["--base-url", url], environment: ["HOME": folder.path],
        directory: URL(filePath: folder.path)
      ).result()
    }
  }

  private func withDesk(_ body: (Desk) async throws -> Void) async throws {
    try await withServe { url, _ in try await body(Desk(folder: try TemporaryFolder(), url: url)) }
  }

  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 3, count: 990)
  private static let mp4: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 5, count: 5_000_000)

  @Test func severalFilesAreUploadedAndCanBeRead() async throws {
    try await withDesk { desk in
      _ = try desk.folder.write(Self.jpeg, to: "photo.jpg")
      _ = try desk.folder.write(Self.mp4, to: "walk.mp4")
      let run = try await desk.run("upload", "photo.jpg", "walk.mp4", "--as", "ada", "-o", "json")
      #expect(run.status == 0, "\(run.errors)")
      let uploads = try #require(try JSONValue(jsonUTF8: Array(run.output.utf8))["uploads"]?.elements)
      let names = Set(uploads.compactMap { $0["file_name"]?.stringValue })
      let types = Set(uploads.compactMap { $0["content_type"]?.stringValue })
      #expect(names == ["photo.jpg", "walk.mp4"] && types == ["image/jpeg", "video/mp4"], "\(run.output)")
      #expect(run.errors.contains("photo.jpg: started, 1.0 kB\n"), "\(run.errors)")
      #expect(run.errors.contains("walk.mp4: uploaded in "), "\(run.errors)")

      let id = try #require(uploads.first { $0["file_name"] == .string("walk.mp4") }?["id"]?.stringValue)
      let download = try await desk.run("download", id, "-o", "copy.mp4")
      #expect(download.status == 0 && download.errors.hasSuffix("downloaded copy.mp4: 5.0 MB\n"), "\(download)")
      #expect(try desk.folder.bytes("copy.mp4") == Self.mp4)
      #expect(try await desk.run("uploads", "list", "-o", "ids").output.isEmpty)
    }
  }

  /// A server that has all bytes and refuses to complete the upload: the same command may never help, so the message names
  /// a way out.
  @Test(arguments: ["409 Conflict", "422 Unprocessable Content", "200 OK"])
  func aRefusedCompletionHasAWayOut(_ status: String) async throws {
    let server = try RawServer { connection in
      while let request = try connection.readRequest() {
        let upload = #""upload":{"id":"up1","file_size":5,"uploaded_size":5,"status":"uploading"}"#
        let path = request.requestLine.split(separator: " ").dropFirst().first ?? ""
        let json = ["Content-Type: application/json"]
        if path.hasSuffix("/upload/start") {
          let body = #"{"upload":{"id":"up1"},"upload_url":"/put/up1","chunk_size":16384}"#
          try connection.respond(headers: json, body: Array(body.utf8))
        } else if path.hasSuffix("/upload/complete") {
          try connection.respond(status, headers: json, body: Array("{\(status.hasPrefix("2") ? upload : "")}".utf8))
        } else if path.hasPrefix("/put/") {
          try connection.respond("204 No Content")
        } else {
          try connection.respond(headers: json, body: Array("{\"found\":true,\(upload)}".utf8))
        }
      }
    }
    defer { server.stop() }
    let desk = Desk(folder: try TemporaryFolder(), url: server.url(""))
    _ = try desk.folder.write("small", to: "a.bin")
    for _ in 0..<2 {
      let run = try await desk.run("upload", "a.bin", "--as", "ada", "--quiet")
      let text = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(run.status != 0 && text.contains("remove the upload with `nova uploads cancel "), "\(run)")
      #expect(text.contains("and upload the file again"), "\(run)")
    }
    let id = try #require(try await desk.run("uploads", "list", "-o", "ids").lines.first)
    #expect(try await desk.run("uploads", "cancel", id, "--yes").status == 0)
    #expect(try await desk.run("uploads", "list", "-o", "ids").lines.isEmpty)
  }

  /// All files are checked before anything is sent: nothing listens at this address.
  @Test func filesAreCheckedFirst() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.jpeg, to: "a.jpg")
    _ = try folder.write("hello", to: "note.txt")
    func errors(_ arguments: String...) async throws -> String {
      let run = try await ProgramRun(
        arguments + ["--as", "ada", "--base-url", "http://127.0.0.1:1"], environment: ["HOME": folder.path],
        directory: URL(filePath: folder.path)
      ).result()
      #expect(run.status == 65 && run.output.isEmpty, "\(run)")
      return run.errors
    }
    let missing = "nova: cannot read missing.jpg: No such file or directory\n"
    #expect(try await errors("upload", "missing.jpg") == missing)
    #expect(try await errors("upload", "a.jpg", "missing.jpg") == missing + "      Nothing was uploaded.\n")
    #expect(
      try await errors("upload", "a.jpg", "missing.jpg", ".")
        == missing + "nova: cannot read .: Is a directory\nnova: nothing was uploaded: 2 of 3 files cannot be used\n")
    #expect(
      try await errors("upload", "a.jpg", "--type", "image/png")
        == "nova: cannot upload a.jpg as image/png: the content is image/jpeg; use --type image/jpeg, or leave out --type\n"
    )
    #expect(
      try await errors("upload", "note.txt", "--type", "video/mp4")
        == "nova: cannot upload note.txt as video/mp4: the content is something else; leave out --type\n")
    #expect(try await errors("post", "create", "Walk", "--media", "a.jpg", "--media", "b.jpg").contains("b.jpg"))
    for command in [["video", "create", "--title", "Walk"], ["reel", "create"]] {
      for (file, reason) in [
        ("a.jpg", "as a video: it is image/jpeg\n"), ("note.txt", "as a video: it is neither MP4 nor MOV\n"),
      ] {
        let run = try await ProgramRun(
          command + ["--file", file, "--as", "ada", "--base-url", "http://127.0.0.1:1"],
          directory: URL(filePath: folder.path)
        ).result()
        #expect(run.status == 65 && run.errors.hasPrefix("nova: cannot use \(file) \(reason)"), "\(run)")
      }
    }
  }

  @Test func aTypeThatIsNotDetectedIsTaken() async throws {
    try await withDesk { desk in
      _ = try desk.folder.write("webm", to: "walk.webm")
      let video = try await desk.run(
        "video", "create", "--file", "walk.webm", "--type", "video/webm", "--title", "Walk", "--as", "ada", "-o",
        "ids", "-q")
      #expect(video.status == 0, "\(video)")
      _ = try desk.folder.write(Self.jpeg, to: "photo.jpg")
      let photo = try await desk.run(
        "upload", "photo.jpg", "--type", "image/x-photo", "--as", "ada", "--fields", "content_type", "-q")
      #expect(photo.lines == ["image/x-photo"], "\(photo)")
    }
  }

  @Test func anAvatarIsAnImage() async throws {
    try await withDesk { desk in
      _ = try desk.folder.write(Self.jpeg, to: "photo.jpg")
      _ = try desk.folder.write("hello", to: "text.jpg")
      _ = try desk.folder.write(Self.mp4, to: "walk.mp4")
      _ = try desk.folder.write("", to: "empty.jpg")
      for (file, reason) in [
        ("text.jpg", "not an image"), ("empty.jpg", "the file is empty"), (".", "Is a directory"),
        ("walk.mp4", "video/mp4"), ("none.jpg", "No such file"),
      ] {
        let run = try await ProgramRun(
          ["avatar", "set", file, "--as", "mock-user-id", "--base-url", "http://127.0.0.1:1"],
          directory: URL(filePath: desk.folder.path)
        ).result()
        #expect(run.status == 65 && run.errors.contains(reason), "\(run)")
      }
      let run = try await desk.run("avatar", "set", "photo.jpg", "--as", "mock-user-id", "-o", "json", "--quiet")
      let profile = try UserProfile(jsonUTF8: Array(run.output.utf8))
      let url = try #require(profile.avatarUrl, "\(run)")
      let image = try await desk.run("download", url, "-o", "-", "--quiet")
      #expect(image.status == 0, "\(image)")
      let copy = try await desk.run("download", url, "-o", "avatar.jpg", "--json", "--quiet")
      #expect(
        try JSONValue(jsonUTF8: Array(copy.output.utf8))["byte_count"] == .number("\(Self.jpeg.count)"), "\(copy)")
      #expect(try desk.folder.bytes("avatar.jpg") == Self.jpeg)
    }
  }

  @Test func videosAndReelsAreMadeOfFilesAndUploads() async throws {
    try await withDesk { desk in
      _ = try desk.folder.write(Self.mp4, to: "walk.mp4")
      let video = try await desk.run(
        "video", "create", "--file", "walk.mp4", "--title", "Walk", "--as", "ada", "-o", "ids", "--quiet")
      let id = try #require(video.lines.first, "\(video)")
      #expect(try await desk.run("videos", "ada", "-o", "ids").lines == [id])
      #expect(try await desk.run("video", "show", id, "--template", "{{title}}").lines == ["Walk"])
      let upload = try await desk.run("upload", "walk.mp4", "--as", "ada", "-o", "ids", "--quiet")
      let reel = try await desk.run(
        "reel", "create", "--upload", upload.lines.first ?? "", "--caption", "Walk", "--no-comments", "--as", "ada",
        "--fields", "upload_id,caption,allow_comments", "-o", "ndjson")
      let expected = #"{"upload_id":"\#(upload.lines.first ?? "")","caption":"Walk","allow_comments":false}"#
      #expect(reel.lines == [expected], "\(reel)")
      let file = try await desk.run("reel", "create", "--file", "walk.mp4", "--as", "ada", "-o", "ids", "--quiet")
      #expect(try await desk.run("reel", "show", file.lines.first ?? "").status == 0, "\(file)")
      let missing = try await desk.run("reel", "create", "--upload", "nope", "--as", "ada")
      #expect(missing.status == 5, "\(missing)")
    }
  }

  @Test func postsAttachFilesAndUploads() async throws {
    try await withDesk { desk in
      _ = try desk.folder.write(Self.jpeg, to: "photo.jpg")
      let upload = try await desk.run("upload", "photo.jpg", "--as", "ada", "-o", "ids", "--quiet")
      let id = try #require(upload.lines.first, "\(upload)")
      let post = try await desk.run(
        "post", "create", "Walk", "--media", id, "--media", "photo.jpg", "--as", "ada", "-o", "json", "--quiet")
      let media = try Post(jsonUTF8: Array(post.output.utf8)).mediaIds
      #expect(media.count == 2 && media.first == id && media.last != id, "\(post)")
      let missing = try await desk.run("post", "create", "Walk", "--media", "none.jpg", "--as", "ada", "--quiet")
      #expect(missing.status == 65 && missing.output.isEmpty, "\(missing)")
      // A slip in the name of a file. Nothing is uploaded for it.
      let slip = try await desk.run(
        "post", "create", "Walk", "--media", "photo.jpg", "--media", "photo", "--as", "ada")
      #expect(slip.status == 5 && slip.errors.hasPrefix("nova: not found: upload \"photo\"\n"), "\(slip)")
      #expect(slip.errors.contains("There is no file with this name either."), "\(slip)")
      #expect(try await desk.run("posts", "ada", "-o", "ids").lines.count == 1)
    }
  }

  @Test func mockModeUploadsInOneProcess() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.jpeg, to: "photo.jpg")
    // No directory for journals is needed.
    let run = try await nova(
      "upload", path, "--as", "mock-user-id", "--mock", "--fields", "file_name,status,file_size", "-q",
      environment: ["HOME": "/dev/null/none"])
    #expect(run.status == 0 && run.output == "photo.jpg\tcompleted\t1000\n" && run.errors.isEmpty, "\(run)")
  }
}
