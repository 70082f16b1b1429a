import ArgumentParser
import NovaSDK

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Upload files, and list their IDs and URLs.",
    usage: "nova upload <file> ... [--type <media-type>] [--concurrency <count>] [<options>]",
    discussion: """
      Attach an upload with `nova post create --media <upload-id>`, or use it with `nova video create --upload` and \
      `nova reel create --upload`. Ctrl-C pauses; run the same command again to continue after the bytes that the \
      server has, even after a crash. All files are checked before anything is sent. A file that fails later does not \
      stop the others. --timeout limits each request, not the whole file.
      """)
  static let columns = ["id", "file_name", "file_size", "url"]

  @Argument(help: .value("file", "The files."), completion: .file()) var files: [String]
  @OptionGroup var acting: ActorOptions
  @OptionGroup var media: MediaTypeOptions
  @OptionGroup var sending: ConcurrencyOptions
  @OptionGroup var options: RecordListOptions

  func validate() throws { try UploadPath.check(files) }

  func run() async throws {
    let shape = try options.shape(Upload.self, columns: Self.columns)
    let files = try LocalFile.all(files, type: media.type)
    try await CommandContext.run(options) { context in
      let user = try await context.id(of: acting.actor())
      let jobs = try await context.uploadJobs(files, userId: user, isQuiet: options.connection.quiet)
      let target = context.configuration.target
      let batch = UploadBatch(
        context: context, jobs: jobs, concurrency: sending.concurrency, isQuiet: options.connection.quiet
      ) { rest in Self.advice(rest, target: target) }
      try await context.write(batch, in: shape)
    }
  }

  /// How to upload the rest: the completed files are not to be sent again.
  private static func advice(_ rest: UploadRest, target: String) -> String {
    guard !rest.completed.isEmpty else {
      guard rest.arguments.count == 1, let id = rest.resumable.first else { return "Continue with the same command." }
      return RepeatedCommand.hint("Continue with the same command, or with", "nova uploads resume \(id)\(target)")
    }
    var command = RepeatedCommand()
    guard rest.completed.allSatisfy({ command.remove(argument: $0.file) }), let text = command.text else {
      return "Continue with the same command, but without the files that are uploaded."
    }
    return RepeatedCommand.hint("Continue with", text)
  }
}

extension CommandContext {
  /// Runs uploads, and lists each when it is complete, so that no ID is lost with the program.
  func write(_ batch: UploadBatch, in shape: RecordShape) async throws {
    var writer = RecordWriter<Upload>(output, in: shape, key: "uploads") { try $0.jsonValue() }
    try writer.begin()
    let problems = try await batch.run { _, upload in
      made.note(shown: try upload.jsonValue())
      try await writer.write([upload])
    }
    try writer.end([JSONValue.Member(name: "failed", value: .array(problems.json))])
    if let failure = problems.failure() { throw failure }
  }
}
