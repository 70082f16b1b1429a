import ArgumentParser
import NovaSDK

/// A medium of a post: a file to upload, or an upload.
///
/// A text is a file if one is there, or if it has the form of a path: a slash or a dot in it.
enum PostMedia: ExpressibleByArgument {
  case file(String)
  case upload(String)

  init?(argument: String) {
    guard !argument.isEmpty, argument != "-" else { return nil }
    let isPath = argument.contains("/") || argument.contains(".") || System.fileExists(argument)
    self = isPath ? .file(argument) : .upload(argument)
  }
}

/// The media of a post, whose files are checked.
struct PostMediaFiles {
  let media: [PostMedia]
  private let files: [LocalFile]
  private let readsInput: Bool

  /// - Parameter readsInput: whether the text of the post comes from standard input.
  /// - Throws: ``Failure`` for a file that cannot be uploaded.
  init(_ media: [PostMedia], readsInput: Bool) throws {
    (self.media, self.readsInput) = (media, readsInput)
    files = try LocalFile.all(
      media.compactMap {
        guard case .file(let path) = $0 else { return nil }
        return path
      })
  }

  /// Uploads the files, and creates a record with all media.
  func use<Record>(
    _ context: CommandContext, user: String, isQuiet: Bool, _ create: ([String]) async throws -> Record
  ) async throws -> Record {
    guard !media.isEmpty else { return try await create([]) }
    try await checkUploads(context)
    return try await context.upload(
      files, user: user, isQuiet: isQuiet, unfinished: "the files are uploaded, but the post is not created",
      advice: { [readsInput] in Self.advice($0, readsInput: readsInput) }
    ) { try await create(ids($0)) }
  }

  /// The ids of all media in their order.
  private func ids(_ uploaded: [String]) -> [String] {
    var files = uploaded.makeIterator()
    return media.compactMap { medium in
      switch medium {
      case .file: files.next()
      case .upload(let id): id
      }
    }
  }

  /// Makes sure that the uploads exist: a name of a file with a slip in it looks like an ID.
  private func checkUploads(_ context: CommandContext) async throws {
    for case .upload(let id) in media {
      let shown = id.printable(to: 100)
      do {
        if try await context.media.getUpload(uploadId: id) != nil { continue }
      } catch let error as APIError where error.code != .notFound {
        // The server may keep uploads of others to itself. It decides when the post is created.
        if error.code == .permissionDenied || error.code == .unimplemented { continue }
        throw error
      } catch is APIError {}
      throw Failure(
        "not found: upload \(shown.quoted)",
        hint: "There is no file with this name either. Name a file to upload, or an ID that `nova upload` printed.",
        .notFound)
    }
  }

  /// How to create the post without sending files again.
  private static func advice(_ rest: UploadRest, readsInput: Bool) -> String {
    if rest.completed.isEmpty {
      return "Continue with the same command: it uploads the rest, and then creates the post."
    }
    let ids = rest.completed.map { $0.id.printable(to: 100) }.joined(separator: ", ")
    var command = RepeatedCommand()
    let isReplaced = rest.completed.allSatisfy {
      command.replace("--media", value: $0.file, with: ["--media", $0.id])
    }
    guard isReplaced, let text = command.text else {
      return "Uploaded already: \(ids). Use --media with these IDs in the place of the files."
    }
    let hint = RepeatedCommand.hint("Uploaded already: \(ids). Continue with", text)
    return readsInput ? "\(hint)\nIt reads the text from standard input again." : hint
  }
}
