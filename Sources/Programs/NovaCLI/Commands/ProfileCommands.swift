import ArgumentParser
import NovaSDK

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Show or change a user's profile.",
    subcommands: [ProfileShow.self, ProfileEdit.self],
    defaultSubcommand: ProfileShow.self)
}

struct ProfileShow: AsyncParsableCommand, WordTaking {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a user's profile and latest posts.",
    usage: "nova profile [show] [<user-id>] [--tab <tab>] [--posts <count>] [--watch [--interval <time>]] [<options>]",
    discussion: """
      Formats other than table, and --fields, show the profile without posts. --watch continues until Ctrl-C: on a \
      terminal, it updates the output in place; otherwise, it prints everything again after each change. It receives \
      the profile's events. With --interval, it reads the profile at that interval instead, which works with gateways \
      without events, and also shows changes of saved and liked posts.
      """)

  @OptionGroup var user: UserArgument
  @Option(help: .value("tab", "The tab whose posts to show. Default: posts.")) var tab: ProfileTab?
  @Option(help: .value("count", "Maximum number of posts to show.")) var posts = 3
  @Flag(help: "Show the profile again whenever it changes.") var watch = false
  @Option(help: .value("time", "How often --watch reads the profile, instead of using events; 1s or more."))
  var interval: Seconds?
  @OptionGroup var options: RecordOptions

  func validate() throws {
    guard (0...100).contains(posts) else { throw ValidationError("invalid --posts: must be 0 to 100, got \(posts)") }
    if let interval, interval.duration < .seconds(1) {
      throw ValidationError("invalid --interval: must be 1s or more")
    }
    guard watch else {
      if interval != nil { throw ValidationError("--interval requires --watch") }
      return
    }
    guard options.fields == nil, options.format == .table || options.format == .ndjson else {
      throw ValidationError("--watch supports only --output table and ndjson, without --fields")
    }
  }

  func run() async throws {
    let shape = try options.shape(UserProfile.self)
    try await CommandContext.run(options) { context in
      let showsPosts = options.format == .table && options.fields == nil
      let user = try await context.id(of: user.actor)
      let source = ProfileSource(context, user: user, tab: tab?.tab ?? .posts, posts: showsPosts ? posts : 0)
      if watch {
        var watch = ProfileWatch(source, as: options.format, in: context)
        if let interval { return try await watch.poll(every: interval.duration) }
        return try await watch.follow(user)
      }
      let page: ProfilePage
      do { page = try await source.load() } catch let error as APIError where error.code == .notFound {
        throw await context.failure(for: error, aboutUser: user)
      }
      guard options.format == .table, options.fields == nil else {
        return try context.show(page.profile, in: shape)
      }
      for line in try page.lines(
        width: System.terminalWidth(context.output.descriptor), cells: context.cells)
      {
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

struct ProfileEdit: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the given parts of a profile, and show it.",
    discussion: "An empty text removes the value: --website ''.")

  @OptionGroup var user: UserArgument
  @Option(help: "The display name.") var name: String?
  @Option(help: "The biography.") var bio: String?
  @Option(help: "The URL of the picture.") var avatar: String?
  @Option(help: "The URL of the cover picture.") var cover: String?
  @Option(help: "The website.") var website: String?
  @Option(help: "The location.") var location: String?
  @Flag(inversion: .prefixedNo, help: "Whether only followers can see the posts.") var `private`: Bool?
  @OptionGroup var options: RecordOptions

  func validate() throws {
    guard [name, bio, avatar, cover, website, location].allSatisfy({ $0 == nil }), `private` == nil else { return }
    throw ValidationError("nothing to change: give --name, --bio or another of the options in --help")
  }

  func call() throws -> (CommandContext) async throws -> UserProfile {
    { context in
      try await context.users.updateUserProfile(
        userId: try await context.id(of: user.actor), displayName: name, bio: bio, avatarUrl: avatar, coverUrl: cover,
        website: website,
        location: location, isPrivate: `private`)
    }
  }
}

struct Search: PagedRecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find users by name, best match first.",
    usage: "nova search <query> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let columns = ["id", "username", "display_name", "follower_count", "is_verified"]
  static let key = "profiles"

  @Argument(help: "A name, or part of one.") var query: String
  @OptionGroup var options: PagedOptions

  func list(_ context: CommandContext) -> PagedList<UserProfile> {
    PagedList(one: "user", many: "users") {
      context.users.users(matching: query, maximumCount: $0, onShift: $1)
    }
  }
}
