import ArgumentParser
import NovaCore
import NovaMedia

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

  /// Uploads the files.
  ///
  /// - Returns: the ids of all uploads in the order of the media, and of those that are new.
  static func ids(
    of media: [PostMedia], _ context: CommandContext, user: String, isQuiet: Bool
  ) async throws -> (all: [String], uploaded: [String]) {
    let service = context.media
    let jobs = media.compactMap { medium -> UploadJob? in
      guard case .file(let path) = medium else { return nil }
      return UploadJob(file: path, userId: user, type: nil, by: service)
    }
    let uploaded = try await UploadBatch(
      context: context, jobs: jobs, concurrency: 2, isQuiet: isQuiet
    ).uploads().map(\.id)
    var files = uploaded.makeIterator()
    let all = media.compactMap { medium in
      switch medium {
      case .file: files.next()
      case .upload(let id): id
      }
    }
    return (all, uploaded)
  }
}
