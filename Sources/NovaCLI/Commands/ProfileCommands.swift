import ArgumentParser
import NovaCore
import NovaSDK
import NovaViewModels

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change a user's profile.", subcommands: [ProfileShow.self, ProfileEdit.self],
    defaultSubcommand: ProfileShow.self)
}

struct ProfileShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a user's profile and latest posts.",
    usage: "nova profile [show] <user-id> [--tab <tab>] [--posts <count>] [--watch] [<options>]",
    discussion: """
      Other formats than table, and --fields, show the profile only. --watch goes on until Ctrl-C: on a terminal it \
      draws in place, elsewhere it writes everything again whenever something changed.
      """)

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @Option(help: ArgumentHelp("Which posts to show. Default: posts.", valueName: "tab")) var tab: ProfileTab?
  @Option(help: ArgumentHelp("How many of the latest posts to show.", valueName: "count")) var posts = 3
  @Flag(help: "Show it again whenever it changes.") var watch = false
  @Option(help: ArgumentHelp("How often --watch looks: 1s or more. Default: 5s.", valueName: "time"))
  var interval: Seconds?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard (0...100).contains(posts) else { throw ValidationError("--posts is \(posts); it must be 0 to 100") }
    if let interval, interval.duration < .seconds(1) {
      throw ValidationError("--interval must be 1s or more, so that watching is no load")
    }
    guard watch else {
      if interval != nil { throw ValidationError("--interval goes with --watch") }
      return
    }
    guard format.fields == nil, format.output == .table || format.output == .ndjson else {
      throw ValidationError("--watch shows everything as a table, or the profile with --output ndjson")
    }
  }

  func run() async throws {
    let shape = try format.shape(UserProfile.self)
    try await CommandContext.run(connection) { context in
      let showsPosts = format.output == .table && format.fields == nil
      let source = ProfileSource(context, user.text, tab?.tab ?? .posts, posts: showsPosts ? posts : 0)
      if watch {
        let watch = ProfileWatch(source: source, interval: interval?.duration ?? .seconds(5), format: format.output)
        return try await watch.run(context)
      }
      let page = try await source.load()
      guard format.output == .table, format.fields == nil else {
        return try context.show(page.profile, shape, format.output)
      }
      for line in try page.lines(width: System.terminalWidth(context.output.descriptor)) {
        try context.output.writeLine(line.styled(context.output.styles))
      }
    }
  }
}

/// A tab of a profile.
struct ProfileTab: ExpressibleByArgument {
  let tab: ContentTab

  init?(argument: String) {
    guard let tab = ContentTab(rawValue: argument) else { return nil }
    self.tab = tab
  }

  static var allValueStrings: [String] { ContentTab.allCases.map(\.rawValue) }
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
