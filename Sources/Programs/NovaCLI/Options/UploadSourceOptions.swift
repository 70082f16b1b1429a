import ArgumentParser
import NovaCore
import NovaMedia

/// Who can see a video or reel.
struct VisibilityOptions: ParsableArguments {
  @Option(help: "Who can see it: public, followers, or private. Default: the server's.") var visibility = ""
}

/// What a video or reel is made of: a file to upload, or an upload.
struct UploadSourceOptions: ParsableArguments {
  @Option(help: .value("file", "The file to upload."), completion: .file()) var file: String?
  @Option(help: .value("upload-id", "ID of an upload, instead of a file.")) var upload: EntityID?
  @OptionGroup var media: MediaTypeOptions

  func validate() throws {
    guard (file == nil) != (upload == nil) else {
      throw ValidationError(
        file == nil
          ? "missing --file: name a file to upload, or an upload with --upload"
          : "--file and --upload cannot be combined")
    }
    if media.type != nil, file == nil { throw ValidationError("--type requires --file: an upload has its type") }
    try UploadPath.check(file.map { [$0] } ?? [])
  }

  /// - Throws: ``Failure`` for a file that is not a video.
  func checked() throws -> UploadSource {
    guard let file else { return .upload(upload?.text ?? "") }
    return .file(try LocalFile(file, type: media.type, for: .video))
  }
}

/// A checked file to upload, or the ID of an upload.
enum UploadSource {
  case file(LocalFile)
  case upload(String)

  /// Uploads the file, if it is one, and makes a record of the upload.
  ///
  /// - Parameter what: the record in messages: `video`.
  func use<Record>(
    _ context: CommandContext, user: String, isQuiet: Bool, for what: String,
    _ create: (String) async throws -> Record
  ) async throws -> Record {
    switch self {
    case .upload(let id): return try await create(id)
    case .file(let file):
      return try await context.upload(
        [file], user: user, isQuiet: isQuiet, unfinished: "the file is uploaded, but the \(what) is not created",
        advice: { Self.advice($0, file, for: what) }
      ) { try await create($0.first ?? "") }
    }
  }

  /// How to create the record without sending the file again.
  private static func advice(_ rest: UploadRest, _ file: LocalFile, for what: String) -> String {
    guard let id = rest.completed.first?.id else {
      return "Continue with the same command: it uploads the rest of the file, and then creates the \(what)."
    }
    let shown = id.printable(to: 100)
    var command = RepeatedCommand()
    let isReplaced = command.replace("--file", value: file.path, with: ["--upload", id])
    _ = command.replace("--type")
    guard isReplaced, let text = command.text else {
      return "The file is uploaded: use --upload \(shown) in the place of --file."
    }
    return RepeatedCommand.hint("The file is uploaded. Create the \(what) with", text)
  }
}

extension CommandContext {
  /// Uploads files, and creates a record with their uploads.
  ///
  /// - Parameters:
  ///   - unfinished: what to report if the record cannot be created.
  ///   - advice: how to continue without sending a file again.
  ///   - create: gets the ids of the uploads in the order of the files.
  func upload<Record>(
    _ files: [LocalFile], user: String, isQuiet: Bool, unfinished: String,
    advice: @escaping @Sendable (UploadRest) -> String, create: ([String]) async throws -> Record
  ) async throws -> Record {
    let jobs = try await uploadJobs(files, userId: user, isQuiet: isQuiet)
    let batch = UploadBatch(context: self, jobs: jobs, concurrency: 2, isQuiet: isQuiet, advice: advice)
    let ids = try await batch.uploads().map(\.id)
    do { return try await create(ids) } catch  where !ids.isEmpty {
      var rest = UploadRest()
      rest.completed = zip(files, ids).map { ($0.path, $1) }
      throw failure(for: error, afterUploading: unfinished, advice: advice(rest))
    }
  }

  /// The failure of the step after an upload, which need not be repeated.
  ///
  /// - Parameter state: what is done and what is not, for an interruption.
  func failure(for error: any Error, afterUploading state: String, advice: String) -> any Error {
    // The record may exist, and with mock data nothing is left to use.
    if (error as? APIError)?.code == .unconfirmed || configuration.usesMockData { return error }
    if Interruption.happened {
      return Failure("interrupted: \(state) as far as is known", hint: advice, Interruption.status)
    }
    guard let cause = failure(for: error) as? Failure else { return error }
    let hint = [cause.hint, advice].compactMap(\.self).joined(separator: "\n")
    return Failure(cause.message, hint: hint, cause.status)
  }
}
