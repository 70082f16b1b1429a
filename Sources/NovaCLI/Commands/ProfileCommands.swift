import ArgumentParser
import NovaCore
import NovaSDK

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change a user's profile.", subcommands: [ProfileShow.self, ProfileEdit.self],
    defaultSubcommand: ProfileShow.self)
}

struct ProfileShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a user's profile and latest posts.",
    usage: "nova profile [show] <user-id> [--posts <count>] [<options>]",
    discussion: "Other formats than table, and --fields, show the profile only.")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @Option(help: ArgumentHelp("How many of the latest posts to show.", valueName: "count")) var posts = 3
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard (0...100).contains(posts) else { throw ValidationError("--posts is \(posts); it must be 0 to 100") }
  }

  func run() async throws {
    let shape = try format.shape(UserProfile.self)
    try await CommandContext.run(connection) { context in
      let profile = try await context.users.getUserProfile(userId: user.text)
      guard format.output == .table, format.fields == nil else {
        return try context.show(profile, shape, format.output)
      }
      try context.write(ProfileCard(profile: profile))
      if posts > 0 { try await showPosts(context) }
    }
  }

  private func showPosts(_ context: CommandContext) async throws {
    let latest = try await context.content.getPostsByAuthor(
      authorId: user.text, status: .published, limit: posts
    ).posts
    guard !latest.isEmpty else { return }
    let shape = try RecordShape(Post.descriptor, columns: ["id", "created_at", "content"])
    var writer = RecordWriter<Post>(context.output, .table, shape, key: "posts")
    try context.output.writeLine("")
    try writer.write(latest)
  }
}

struct ProfileEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change what is given of a profile, and show it.",
    discussion: "An empty text removes what was there: --website ''.")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @Option(help: "The name that is shown.") var name: String?
  @Option(help: "What the user says about themselves.") var bio: String?
  @Option(help: "Where the picture is.") var avatar: String?
  @Option(help: "Where the picture behind the profile is.") var cover: String?
  @Option(help: "A web site.") var website: String?
  @Option(help: "A place.") var location: String?
  @Flag(inversion: .prefixedNo, help: "Whether only followers see the posts.") var `private`: Bool?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard [name, bio, avatar, cover, website, location].allSatisfy({ $0 == nil }), `private` == nil else { return }
    throw ValidationError("nothing to change: give --name, --bio or another of the options in --help")
  }

  func run() async throws {
    let shape = try format.shape(UserProfile.self)
    try await CommandContext.run(connection) { context in
      let profile = try await context.users.updateUserProfile(
        userId: user.text, displayName: name, bio: bio, avatarUrl: avatar, coverUrl: cover, website: website,
        location: location, isPrivate: `private`)
      try context.show(profile, shape, format.output)
    }
  }
}
