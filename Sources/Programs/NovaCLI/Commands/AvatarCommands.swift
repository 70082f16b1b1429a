import ArgumentParser
import NovaSDK

struct AvatarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "avatar", abstract: "Set a user's profile picture.", subcommands: [AvatarSet.self])
}

struct AvatarSet: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Upload an image as the profile picture, and show the profile.",
    usage: "nova avatar set <file> [<options>]",
    discussion: "The file must be a JPEG, PNG, GIF, WebP, or HEIC image; others are refused before anything is sent.")

  @Argument(help: .value("file", "The image."), completion: .file()) var file: String
  @OptionGroup var acting: ActorOptions
  @OptionGroup var options: RecordOptions

  func validate() throws { try UploadPath.check([file]) }

  func call() throws -> (CommandContext) async throws -> UserProfile {
    let image = try LocalFile(file, for: .picture)
    return { context in
      let user = try await context.id(of: acting.actor())
      let job = UploadJob(image, userId: user, isResumable: false, by: context.media)
      let uploads = try await UploadBatch(context: context, jobs: [job], isQuiet: options.connection.quiet) { _ in
        "The profile picture is unchanged; run the same command again."
      }.uploads()
      guard let url = uploads.first?.url, !url.isEmpty else {
        throw Failure("invalid response: the server returned no URL of the upload", .badData)
      }
      return try await context.users.updateUserProfile(userId: user, avatarUrl: url)
    }
  }
}
