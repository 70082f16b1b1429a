import ArgumentParser
import NovaCore
import NovaMedia
import NovaSDK

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Upload files, and list their IDs and URLs.",
    usage: "nova upload <file> ... [--type <media-type>] [--concurrency <count>] [<options>]",
    discussion: """
      Attach an upload with `nova post create --media <upload-id>`, or use it with `nova video create --upload` and \
      `nova reel create --upload`. Ctrl-C pauses: `nova uploads resume` continues where the server stands, also after \
      a crash. A file that fails does not stop the others. --timeout limits each request, not the whole file.
      """)
  static let columns = ["id", "file_name", "file_size", "url"]

  @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file()) var files: [String]
  @OptionGroup var acting: ActorOptions
  @OptionGroup var media: MediaTypeOptions
  @OptionGroup var sending: ConcurrencyOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var options: RecordListOptions

  func validate() throws { try UploadPath.check(files) }

  func run() async throws {
    let shape = try options.shape(Upload.self, columns: Self.columns)
    try await CommandContext.run(options) { context in
      let user = try await context.id(of: acting.actor())
      let service = context.media
      let jobs = files.map { UploadJob(file: $0, userId: user, type: media.type, by: service) }
      try await context.write(
        UploadBatch(context: context, jobs: jobs, concurrency: sending.concurrency, isQuiet: progress.quiet), in: shape)
    }
  }
}

extension CommandContext {
  /// Runs uploads, and lists them: on a terminal as a table when all have ended, elsewhere each when it is complete.
  func write(_ batch: UploadBatch, in shape: RecordShape) async throws {
    var writer = RecordWriter<Upload>(output, in: shape, key: "uploads") { try $0.jsonValue() }
    let isTable = shape.format == .table && output.isTerminal
    var completed: [(index: Int, upload: Upload)] = []
    var failure: (any Error)?
    try writer.begin()
    do {
      try await batch.run { index, upload in
        if isTable { completed.append((index, upload)) } else { try await writer.write([upload]) }
      }
    } catch let error as Failure {
      // What is complete is listed nevertheless.
      failure = error
    }
    // No heading without rows.
    if !completed.isEmpty { try await writer.write(completed.sorted { $0.index < $1.index }.map(\.upload)) }
    try writer.end([])
    if let failure { throw failure }
  }
}
