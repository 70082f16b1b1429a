import ArgumentParser
import NovaSDK

struct VideoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "video", abstract: "Show a video, or create one from a file.",
    subcommands: [VideoShow.self, VideoCreate.self])
}

struct VideoShow: RecordsByIDCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a video, or several.", usage: "nova video show <video-id> ... [<options>]")
  static let key = "videos"

  @Argument(help: .value("video-id", "IDs of the videos; - for those on standard input.")) var texts: [String] = []
  @OptionGroup var options: RecordOptions

  func validate() throws { _ = try ids }

  var ids: IDArguments { get throws { try IDArguments(texts, named: "video-id") } }

  func load(_ id: EntityID, _ context: CommandContext) async throws -> Video {
    try Failure.required(await context.media.getVideo(videoId: id.text), "video", id: id)
  }
}

struct VideoCreate: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Upload a video, and show its record.",
    usage: """
      nova video create --file <file> --title <title> [<options>]
      nova video create --upload <upload-id> --title <title> [<options>]
      """,
    discussion: """
      nova video create --file holiday.mp4 --title 'Our holiday'
      nova video create --upload upload-1 --title 'Our holiday' --as ada

      The file must be a video: MP4, MOV, or another format that you name with --type. Ctrl-C pauses the upload; the \
      same command continues it, and then creates the video.
      """)

  @OptionGroup var source: UploadSourceOptions
  @OptionGroup var acting: ActorOptions
  @Option(help: "The title.") var title: String
  @Option(help: "The description.") var description = ""
  @OptionGroup var visibility: VisibilityOptions
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Video {
    let source = try source.checked()
    return { context in
      let user = try await context.id(of: acting.actor())
      return try await source.use(context, user: user, isQuiet: options.connection.quiet, for: "video") { upload in
        try await context.media.createVideo(
          creatorId: user, title: title, description: description, visibility: visibility.visibility, uploadId: upload)
      }
    }
  }
}

struct ReelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reel", abstract: "Show a reel, or create one from a file.",
    subcommands: [ReelShow.self, ReelCreate.self])
}

struct ReelShow: RecordsByIDCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show reels and the state of their processing.",
    usage: "nova reel show <reel-id> ... [<options>]")
  static let key = "reels"

  @Argument(help: .value("reel-id", "IDs of the reels; - for those on standard input.")) var texts: [String] = []
  @OptionGroup var options: RecordOptions

  func validate() throws { _ = try ids }

  var ids: IDArguments { get throws { try IDArguments(texts, named: "reel-id") } }

  func load(_ id: EntityID, _ context: CommandContext) async throws -> Reel {
    try Failure.required(await context.media.getReel(reelId: id.text), "reel", id: id)
  }
}

struct ReelCreate: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Upload a reel, and show its record.",
    usage: """
      nova reel create --file <file> [--caption <caption>] [<options>]
      nova reel create --upload <upload-id> [--caption <caption>] [<options>]
      """,
    discussion: """
      nova reel create --file walk.mp4 --caption 'Morning walk'
      nova reel create --upload upload-1 --as ada

      The file must be a video: MP4, MOV, or another format that you name with --type. Ctrl-C pauses the upload; the \
      same command continues it, and then creates the reel. The server then processes the reel: see `nova reel show`.
      """)

  @OptionGroup var source: UploadSourceOptions
  @OptionGroup var acting: ActorOptions
  @Option(help: "The caption.") var caption = ""
  @Option(help: "The title of the music.") var musicTitle = ""
  @Option(help: "The artist of the music.") var musicArtist = ""
  @OptionGroup var visibility: VisibilityOptions
  @Flag(inversion: .prefixedNo, help: "Whether others can comment.") var comments = true
  @Flag(inversion: .prefixedNo, help: "Whether others can share.") var shares = true
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Reel {
    let source = try source.checked()
    return { context in
      let user = try await context.id(of: acting.actor())
      return try await source.use(context, user: user, isQuiet: options.connection.quiet, for: "reel") { upload in
        try await context.media.createReel(
          creatorId: user, uploadId: upload, caption: caption, musicTitle: musicTitle, musicArtist: musicArtist,
          visibility: visibility.visibility, allowComments: comments, allowShares: shares)
      }
    }
  }
}
