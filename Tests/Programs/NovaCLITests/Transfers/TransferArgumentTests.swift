import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

/// What is wrong with a command line is found before anything is sent.
@Suite struct TransferArgumentTests {
  private static let wrong: [(arguments: [String], message: String)] = [
    (["upload"], "missing <file> ..."), (["upload", "-"], "cannot upload standard input: its size is not known"),
    (["upload", ""], "invalid file: the path is empty"),
    (["upload", "a", "--concurrency", "0"], "invalid --concurrency: must be 1 to 16, got 0"),
    (["upload", "a", "--concurrency", "17"], "invalid --concurrency: must be 1 to 16, got 17"),
    (["upload", "a", "--concurrency", "x"], "invalid value \"x\" for --concurrency <count>: expected a whole number"),
    (["upload", "a", "--type", "jpeg"], "invalid --type: expected a media type such as video/mp4, got \"jpeg\""),
    (["upload", "a", "--type", "image/"], "invalid --type: expected a media type such as video/mp4, got \"image/\""),
    (["uploads", "resume"], "missing <id>: name the uploads to resume, or use --all"),
    (["uploads", "resume", "x", "--all"], "--all and IDs cannot be combined"),
    (["uploads", "cancel"], "missing <id> ..."), (["avatar", "set"], "missing <file>"),
    (["avatar", "set", "-"], "cannot upload standard input"),
    (["video", "create", "--title", "x"], "missing --file: name a file to upload, or an upload with --upload"),
    (["video", "create", "--file", "a"], "missing --title <title>"),
    (["video", "create", "--file", "a", "--upload", "b", "--title", "x"], "--file and --upload cannot be combined"),
    (["video", "create", "--upload", "b", "--type", "video/mp4", "--title", "x"], "--type requires --file"),
    (["reel", "create"], "missing --file"), (["reel", "create", "--file", "-"], "cannot upload standard input"),
    (["download"], "missing <upload-id-or-url>"), (["download", "x", "-o", ""], "invalid --out"),
    (["download", "x", "-o", "-", "--json"], "--json requires a file"),
    (["download", "x", "-o", "-", "--force"], "--force requires a file"),
    (
      ["download", "x", "-o", "json"],
      "invalid --out json: it names a file, not a format; print the result as JSON with"
    ),
    (["download", "x", "-o", "ids", "--json"], "invalid --out ids: it names a file, not a format; write a file"),
    (["download", "x", "-o", "table"], "invalid --out table: it names a file, not a format; write a file"),
    (["download", "x", "--timeout", "0s"], "invalid --timeout: must be at least 1ms, got 0s"),
    (["whoami", "--timeout", "301"], "invalid --timeout: must be 1ms to 300s, got 301"),
    (["context", "add", "x", "--timeout", "0s"], "invalid --timeout: must be 1ms to 300s, got 0s"),
    (["post", "create", "x", "--media", "-"], "invalid value - for --media <file-or-upload-id>"),
  ]

  @Test(arguments: wrong.indices) func wrongUsageIs64(_ index: Int) async throws {
    let (arguments, message) = Self.wrong[index]
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.status == 64 && run.output.isEmpty, "\(arguments): \(run.errors)")
    #expect(run.errors.hasPrefix("nova: \(message)"), "\(arguments): \(run.errors)")
  }

  @Test(arguments: [
    ("photo.jpg", "photo.jpg"), ("/etc/passwd", "passwd"), (#"C:\a\b.png"#, "b.png"), ("../../.bashrc", "bashrc"),
    ("..", nil), ("", nil), ("-rf", "rf"), ("a\u{1B}[2J\nb\u{202E}c", "a[2Jbc"), ("散歩.jpg", "散歩.jpg"), ("...", nil),
    (String(repeating: "x", count: 500), String(repeating: "x", count: 200)),
  ]) func serversCannotChooseAnotherPlace(_ name: String, _ safe: String?) {
    #expect(DownloadName.safe(name) == safe)
  }

  @Test(arguments: [
    ("https://cdn.nova.social/videos/1.mp4?token=a/b#x", "1.mp4"), ("https://cdn.nova.social", nil),
    ("https://cdn.nova.social/", nil), ("/media/a%20b.jpg", "a b.jpg"), ("/media/%2e%2e%2fx", "x"), ("/a%ff", "a%ff"),
  ]) func urlsNameFiles(_ url: String, _ name: String?) { #expect(DownloadName.of(url: url) == name) }

  @Test func mediaAreFilesOrUploads() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "photo")
    func isFile(_ text: String) -> Bool? {
      switch PostMedia(argument: text) {
      case .file: true
      case .upload: false
      case nil: nil
      }
    }
    #expect(isFile(path) == true && isFile("photo.jpg") == true && isFile("./photo") == true)
    #expect(isFile("upload-1") == false && isFile("") == nil && isFile("-") == nil)
  }
}
