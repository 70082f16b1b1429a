import ArgumentParser
import NovaCore
import NovaMedia
import NovaSDK

struct UploadsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uploads", abstract: "List, resume or cancel interrupted uploads.",
    subcommands: [UploadsList.self, UploadsResume.self, UploadsCancel.self])
}

struct UploadsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the interrupted uploads of this machine, oldest first.",
    usage: "nova uploads list [<options>]",
    discussion: """
      Sends nothing. Uploads that cannot be resumed are listed as notes with the reason. Uploads that another program \
      is running are not listed.
      """)
  static let columns = ["id", "file_name", "uploaded_size", "file_size", "changed_at", "gateway"]

  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let shape = try options.shape(PendingUpload.descriptor, columns: Self.columns)
    try await CommandContext.run(options) { context in
      let pending = try await context.media.pendingUploads()
      try await context.list(
        pending.uploads.map(\.json), in: shape, key: "uploads", counting: ("upload to resume", "uploads to resume"),
        members: [JSONValue.Member(name: "dropped", value: .array(pending.dropped.map(\.json)))])
      guard shape.format != .json else { return }
      for dropped in pending.dropped { Diagnostics.note(dropped.sentence) }
    }
  }
}

struct UploadsResume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume interrupted uploads, and list their IDs and URLs.",
    usage: "nova uploads resume [<id> ...] [--all] [--concurrency <count>] [<options>]",
    discussion: "--all resumes the uploads to the gateway in use. A file that has changed is refused.")

  @Argument(help: ArgumentHelp("IDs from `nova uploads list`.", valueName: "id")) var ids: [String] = []
  @Flag(help: "Resume all interrupted uploads to this gateway.") var all = false
  @OptionGroup var sending: ConcurrencyOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var options: RecordListOptions

  func validate() throws {
    if all, !ids.isEmpty { throw ValidationError("--all and IDs cannot be combined") }
    guard all || !ids.isEmpty else { throw ValidationError("missing <id>: name the uploads to resume, or use --all") }
  }

  func run() async throws {
    let shape = try options.shape(Upload.self, columns: UploadCommand.columns)
    try await CommandContext.run(options) { context in
      let media = context.media
      let uploads = try await chosen(context)
      let jobs = uploads.map { upload in
        UploadJob(name: upload.fileName, progress: TransferProgress(upload)) { media.resumeUpload(upload) }
      }
      try await context.write(
        UploadBatch(context: context, jobs: jobs, concurrency: sending.concurrency, isQuiet: progress.quiet), in: shape)
    }
  }

  private func chosen(_ context: CommandContext) async throws -> [PendingUpload] {
    let pending = try await context.media.pendingUploads()
    guard all else { return try ids.unique.map { try pending.upload($0) } }
    let gateway = context.configuration.gatewayOfUploads
    let others = pending.uploads.filter { $0.gateway != gateway }
    for other in Set(others.map(\.gateway)).sorted() {
      Diagnostics.note("uploads to \(other) are not resumed; resume them with --base-url \(other)")
    }
    let uploads = pending.uploads.filter { $0.gateway == gateway }
    if uploads.isEmpty { Diagnostics.note("no uploads to resume") }
    return uploads
  }
}

struct UploadsCancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel interrupted uploads, so that they cannot be resumed.",
    usage: "nova uploads cancel <id> ... [--yes] [<options>]",
    discussion: "The files stay. Sends nothing: the server removes what it has of them by its own rules.")

  @Argument(help: ArgumentHelp("IDs from `nova uploads list`.", valueName: "id")) var ids: [String]
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let ids = ids.unique
    let what = ids.count == 1 ? "upload \(ids[0].quoted)" : "\(ids.count) uploads"
    let confirmation = try confirmation.confirmation(to: "cancel \(what)")
    try await CommandContext.run(connection) { context in
      let pending = try await context.media.pendingUploads()
      let names = try ids.map { id in
        try pending.dropped.first { $0.id == id }.map { $0.upload?.fileName ?? id } ?? pending.upload(id).fileName
      }
      try confirmation.obtain()
      for (id, name) in zip(ids, names) {
        try await context.media.discardUpload(id: id)
        Diagnostics.confirmation("the upload of \(name) is cancelled")
      }
    }
  }
}

extension APIConfiguration {
  /// The gateway as uploads record it.
  fileprivate var gatewayOfUploads: String { baseURL(for: "media").text }
}

extension PendingUploads {
  /// - Throws: ``Failure`` if there is no such upload, or it cannot be resumed.
  fileprivate func upload(_ id: String) throws -> PendingUpload {
    if let upload = uploads.first(where: { $0.id == id }) { return upload }
    if let dropped = dropped.first(where: { $0.id == id }) { throw Failure(dropped.sentence, .failed) }
    throw Failure(
      "not found: upload \(id.printable(to: 100).quoted)",
      hint: "List the interrupted uploads with `nova uploads list`; one that is running cannot be resumed.", .notFound)
  }
}

extension PendingUpload {
  /// The fields of interrupted uploads in tables and JSON.
  fileprivate static let descriptor = MessageDescriptor(
    "PendingUpload",
    fields: [
      ("id", FieldKind.string), ("path", .string), ("file_name", .string), ("content_type", .string),
      ("file_size", .int64), ("uploaded_size", .int64), ("user_id", .string), ("started_at", .unixSeconds),
      ("changed_at", .unixSeconds), ("gateway", .string), ("upload_id", .string),
    ].enumerated().map { FieldDescriptor($1.0, number: $0 + 1, kind: $1.1) })

  fileprivate var json: JSONValue {
    .members(
      ("id", .string(id)), ("path", .string(path)), ("file_name", .string(fileName)),
      ("content_type", .string(contentType)), ("file_size", .number(String(totalBytes))),
      ("uploaded_size", .number(String(uploadedBytes))), ("user_id", .string(userId)),
      ("started_at", .number(Self.seconds(startedAt))), ("changed_at", .number(Self.seconds(changedAt))),
      ("gateway", .string(gateway)), ("upload_id", uploadId.map(JSONValue.string) ?? .null))
  }

  private static func seconds(_ time: Double) -> String {
    String(Int64(exactly: max(-1e15, min(time, 1e15)).rounded(.down)) ?? 0)
  }
}

extension DroppedUpload {
  fileprivate var json: JSONValue {
    .members(
      ("id", .string(id)), ("path", upload.map { .string($0.path) } ?? .null), ("reason", .string(reason)),
      ("journal_path", journalPath.map(JSONValue.string) ?? .null))
  }

  /// Why it cannot be resumed, and what to do.
  fileprivate var sentence: String {
    let advice = journalPath == nil ? "" : "; remove it with `nova uploads cancel \(id)`"
    return "cannot resume \(upload?.fileName ?? id): \(reason)\(advice)"
  }
}

extension TransferProgress {
  fileprivate init(_ upload: PendingUpload) {
    self.init(doneBytes: upload.uploadedBytes, totalBytes: upload.totalBytes)
  }
}

extension [String] {
  /// The texts without repetitions.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
