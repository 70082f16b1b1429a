import ArgumentParser
import NovaCore
import NovaMedia

/// Who can see a video or reel.
struct VisibilityOptions: ParsableArguments {
  @Option(help: "Who can see it: public, followers, or private. Default: the server's.") var visibility = ""
}

/// What a video or reel is made of: a file to upload, or an upload.
struct UploadSourceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file to upload.", valueName: "file"), completion: .file()) var file: String?
  @Option(help: ArgumentHelp("ID of an upload, instead of a file.", valueName: "upload-id")) var upload: EntityID?
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
    let file: LocalFile
    switch self {
    case .file(let source): file = source
    case .upload(let id): return try await create(id)
    }
    let jobs = try await context.uploadJobs([file], userId: user, isQuiet: isQuiet)
    let uploads = try await UploadBatch(context: context, jobs: jobs, isQuiet: isQuiet) { _ in
      "Continue with the same command: it uploads the rest of the file, and then creates the \(what)."
    }.uploads()
    let id = uploads.first?.id ?? ""
    do {
      return try await create(id)
    } catch {
      throw context.failure(
        for: error, afterUploading: "the file is uploaded, but the \(what) is not created",
        advice: Self.advice(file, id: id, what))
    }
  }

  /// How to create the record without sending the file again.
  private static func advice(_ file: LocalFile, id: String, _ what: String) -> String {
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
