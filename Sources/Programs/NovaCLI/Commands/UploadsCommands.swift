import ArgumentParser
import NovaSDK

struct UploadsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uploads", abstract: "List, resume, or cancel interrupted uploads.",
    subcommands: [UploadsList.self, UploadsResume.self, UploadsCancel.self])
}

struct UploadsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the interrupted uploads of this machine, oldest first.",
    usage: "nova uploads list [<options>]",
    discussion: """
      Sends nothing. Notes list the uploads that cannot be resumed, with the reason, and those that another program \
      is sending, with their IDs.
      """)
  static let columns = ["id", "file_name", "uploaded_size", "file_size", "changed_at", "gateway"]

  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let shape = try options.shape(PendingUpload.fields.descriptor, columns: Self.columns)
    try await CommandContext.run(options) { context in
      let pending = try await context.media.pendingUploads()
      try await context.list(
        pending.uploads.map(PendingUpload.fields.json), in: shape, key: "uploads",
        counting: ("upload to resume", "uploads to resume"),
        members: [JSONValue.Member(name: "dropped", value: .array(pending.dropped.map(\.json)))])
      guard shape.format != .json else { return }
      for dropped in pending.dropped { Diagnostics.note(dropped.sentence) }
      for id in pending.running.sorted() { Diagnostics.note("upload \(id) is being sent by another program") }
    }
  }
}

struct UploadsResume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume interrupted uploads, and list their IDs and URLs.",
    usage: "nova uploads resume [<id> ...] [--all] [--concurrency <count>] [<options>]",
    discussion: """
      --all resumes your uploads to the current gateway. Uploads of other users are kept until those users sign in. A \
      file that has changed is refused. You can also continue an upload by uploading the same file again.
      """)

  @Argument(help: .value("id", "IDs from `nova uploads list`.")) var ids: [String] = []
  @Flag(help: "Resume all of your interrupted uploads to this gateway.") var all = false
  @OptionGroup var sending: ConcurrencyOptions
  @OptionGroup var options: RecordListOptions

  func validate() throws {
    if all, !ids.isEmpty { throw ValidationError("--all and IDs cannot be combined") }
    guard all || !ids.isEmpty else { throw ValidationError("missing <id>: name the uploads to resume, or use --all") }
  }

  func run() async throws {
    let shape = try options.shape(Upload.self, columns: UploadCommand.columns)
    try await CommandContext.run(options) { context in
      let media = context.media
      let jobs = try await chosen(context).map { UploadJob($0, by: media) }
      let target = context.configuration.target
      let batch = UploadBatch(
        context: context, jobs: jobs, concurrency: sending.concurrency, isQuiet: options.connection.quiet
      ) { rest in
        guard !rest.resumable.isEmpty else { return nil }
        return RepeatedCommand.hint(
          "Continue with", "nova uploads resume \(rest.resumable.joined(separator: " "))\(target)")
      }
      try await context.write(batch, in: shape)
    }
  }

  private func chosen(_ context: CommandContext) async throws -> [PendingUpload] {
    let pending = try await context.media.pendingUploads()
    guard all else { return try ids.withoutRepeats().map { try upload($0, in: pending, context) } }
    let others = pending.uploads.filter { !context.canResume($0) }
    for other in Set(others.map(\.gateway)).sorted() {
      let (variables, options) = context.configuration.choice(ofUploadsAt: other)
      let command = "\(variables)nova uploads resume --all\(options)"
      Diagnostics.note("uploads to \(other) are not resumed; resume them with `\(command)`")
    }
    let identity = try await context.nova.identity
    var uploads = pending.uploads.filter { context.canResume($0) }
    let count = uploads.count
    uploads.removeAll { !$0.canBeResumed(by: identity) }
    if uploads.count < count {
      let others = count - uploads.count
      Diagnostics.note(
        "\(others) \(others == 1 ? "upload of another user is" : "uploads of other users are") not resumed; sign in as "
          + "the user who began \(others == 1 ? "it" : "them") first")
    }
    if uploads.isEmpty { Diagnostics.note("no uploads to resume") }
    return uploads
  }

  /// - Throws: ``Failure`` if no such upload exists, or it cannot be resumed here.
  private func upload(_ id: String, in pending: PendingUploads, _ context: CommandContext) throws -> PendingUpload {
    let upload = try pending.upload(id, hint: context.hintAboutMock)
    guard !context.canResume(upload) else { return upload }
    let (variables, options) = context.configuration.choice(ofUploadsAt: upload.gateway)
    let command = "\(variables)nova uploads resume \(id)\(options)"
    throw Failure(
      "cannot resume \(upload.fileName.printable(to: 200)): it was begun at another gateway, \(upload.gateway)",
      hint: RepeatedCommand.hint("Resume it with", command), .failed)
  }
}

extension CommandContext {
  /// Whether an upload was begun at the gateway in use.
  fileprivate func canResume(_ upload: PendingUpload) -> Bool {
    !configuration.usesMockData && upload.gateway == configuration.gatewayOfUploads
  }

  /// Why mock data has no uploads; nil without mock data.
  fileprivate var hintAboutMock: String? {
    configuration.usesMockData ? "With --mock, nothing can be resumed: the backend ends with the program." : nil
  }
}

struct UploadsCancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel interrupted uploads, so that they cannot be resumed.",
    usage: "nova uploads cancel <id> ... [--yes] [<options>]",
    discussion: "The files are kept. Sends nothing: the server removes its partial data by its own rules.")

  @Argument(help: .value("id", "IDs from `nova uploads list`.")) var ids: [String]
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let ids = ids.withoutRepeats()
    let what = ids.count == 1 ? "upload \(ids[0].quoted)" : "\(ids.count) uploads"
    let confirmation = try confirmation.confirmation(to: "cancel \(what)")
    try await CommandContext.run(connection) { context in
      let pending = try await context.media.pendingUploads()
      let names = try ids.map { id in
        try pending.dropped.first { $0.id == id }.map { $0.upload?.fileName ?? id }
          ?? pending.upload(id, to: "cancel", hint: context.hintAboutMock).fileName
      }
      try confirmation.obtain()
      for (id, name) in zip(ids, names) {
        try await context.media.discardUpload(id: id)
        Diagnostics.confirmation("the upload of \(name) is cancelled")
      }
    }
  }
}

extension PendingUploads {
  /// - Parameters:
  ///   - action: what is to be done with it.
  ///   - hint: what to do if no such upload exists. Default: list the uploads.
  /// - Throws: ``Failure`` if no such upload exists, or it is running or damaged.
  fileprivate func upload(_ id: String, to action: String = "resume", hint: String?) throws -> PendingUpload {
    if let upload = uploads.first(where: { $0.id == id }) { return upload }
    if let dropped = dropped.first(where: { $0.id == id }) { throw Failure(dropped.sentence, .failed) }
    if running.contains(id) {
      throw Failure(
        "cannot \(action) upload \(id.quoted): another program is sending it",
        hint: "Wait until it ends, or interrupt that program first.", .failed)
    }
    throw Failure(
      "not found: upload \(id.printable(to: 100).quoted)",
      hint: hint ?? "List the interrupted uploads with `nova uploads list`.", .notFound)
  }
}

extension PendingUpload {
  /// The fields of interrupted uploads in tables and JSON.
  fileprivate static let fields = RecordFields<PendingUpload>(
    "PendingUpload",
    [
      ("id", .string, { .string($0.id) }), ("path", .string, { .string($0.path.shownPath) }),
      ("file_name", .string, { .string($0.fileName) }), ("content_type", .string, { .string($0.contentType) }),
      ("file_size", .int64, { .integer($0.totalBytes) }), ("uploaded_size", .int64, { .integer($0.uploadedBytes) }),
      ("user_id", .string, { .string($0.userId) }), ("started_at", .unixSeconds, { seconds($0.startedAt) }),
      ("changed_at", .unixSeconds, { seconds($0.changedAt) }), ("gateway", .string, { .string($0.gateway) }),
      ("upload_id", .string, { $0.uploadId.map(JSONValue.string) ?? .null }),
    ])

  private static func seconds(_ time: Double) -> JSONValue {
    .integer(Int64(exactly: max(-1e15, min(time, 1e15)).rounded(.down)) ?? 0)
  }
}

extension DroppedUpload {
  fileprivate var json: JSONValue {
    .members(
      ("id", .string(id)), ("path", upload.map { .string($0.path.shownPath) } ?? .null), ("reason", .string(reason)),
      ("journal_path", journalPath.map { .string($0.shownPath) } ?? .null))
  }

  /// Why it cannot be resumed, and what to do.
  var sentence: String {
    let advice = journalPath == nil ? "" : "; remove it with `nova uploads cancel \(id)`"
    return "cannot resume \(upload?.fileName ?? id): \(reason)\(advice)"
  }
}
