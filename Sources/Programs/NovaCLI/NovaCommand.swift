import ArgumentParser
import NovaCore

#if !Mock
  #error("nova needs the package trait Mock: build with the default traits, or with --traits Server")
#endif

/// `nova` and its commands.
struct NovaCommand: AsyncParsableCommand {
  static let version = NovaSDKVersion.current

  static let configuration = CommandConfiguration(
    commandName: "nova",
    abstract: "Use NovaSocial from a terminal.",
    usage: "nova <command> [<arguments>] [<options>]",
    discussion: """
      nova profile mock-user-id --mock     show a user, without a backend
      nova followers mock-user-id --mock   show a list (-o json for scripts)
      nova login ada@example.com           sign in; later commands act for you
      nova like post-1                     like a post; --as names another user
      nova watch post:post-1               show events as they happen
      nova upload photo.jpg                upload a file
      nova context use staging             call the gateway of a saved context
      nova serve                           run the mock backend as an HTTP server
      nova call --list                     list all RPCs
      nova config show                     show the settings and their sources
      nova doctor                          check this machine, the settings, and the gateway

      Options can appear before or after the command. The gateway is set with
      --base-url, --environment, --context or `nova context use`, NOVA_... variables
      such as NOVA_CONTEXT, and APIConfig.json. Tokens come from
      `nova login`, NOVA_TOKEN or the file NOVA_TOKEN_FILE, never from the command
      line. --explain prints a trace of each call.

      Results go to standard output, messages to standard error.

      EXIT CODES:
      \(ExitStatus.help)

      \(EnvironmentHelp.summary)
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Sign in",
        subcommands: [Login.self, Logout.self, WhoAmI.self, Register.self]),
      CommandGroup(
        name: "Users",
        subcommands: [Profile.self, Search.self]),
      CommandGroup(
        name: "Follow",
        subcommands: [
          IDListCommand<Followers>.self, IDListCommand<Following>.self, PairCommand<Follow>.self,
          PairCommand<Unfollow>.self,
          PairCommand<IsFollowing>.self,
        ]),
      CommandGroup(
        name: "Mute and block",
        subcommands: [
          PairCommand<Mute>.self, PairCommand<Unmute>.self, PairCommand<IsMuted>.self, PairCommand<Block>.self,
          PairCommand<Unblock>.self, PairCommand<IsBlocked>.self,
        ]),
      CommandGroup(
        name: "Posts",
        subcommands: [
          Posts.self, PostCommand.self, Bookmarks.self, PairCommand<BookmarkPost>.self,
          PairCommand<UnbookmarkPost>.self, Stats.self,
        ]),
      CommandGroup(
        name: "Likes, comments and shares",
        subcommands: [
          PairCommand<LikePost>.self, PairCommand<UnlikePost>.self, IDListCommand<Likes>.self,
          IDListCommand<Liked>.self, Comments.self,
          CommentCommand.self, PairCommand<SharePost>.self,
        ]),
      CommandGroup(
        name: "Feed, videos and reels",
        subcommands: [
          Feed.self, Creators.self, Videos.self, VideoCommand.self, Reels.self, ReelCommand.self,
        ]),
      CommandGroup(name: "Live", subcommands: [Watch.self]),
      CommandGroup(
        name: "Uploads and downloads",
        subcommands: [
          UploadCommand.self, UploadsCommand.self, DownloadCommand.self, AvatarCommand.self, CacheCommand.self,
        ]),
      CommandGroup(
        name: "Captures and pets",
        subcommands: [CaptureCommand.self, Pets.self, Pet.self]),
      CommandGroup(name: "Work offline", subcommands: [OutboxCommand.self]),
      CommandGroup(
        name: "Mock backend and test data",
        subcommands: [Serve.self, Record.self, Fixtures.self]),
      CommandGroup(
        name: "RPCs of the contract",
        subcommands: [Call.self, Describe.self, Decode.self, OpenAPICommand.self, MCPCommand.self]),
      CommandGroup(
        name: "Check a gateway",
        subcommands: [Contract.self, Bench.self]),
      CommandGroup(
        name: "Settings and this machine",
        subcommands: [
          ContextCommand.self, Config.self, Doctor.self, AliasCommand.self, Completion.self, GenerateMan.self,
          VersionCommand.self,
        ]),
      CommandGroup(
        name: "Other",
        subcommands: [Open.self, AnalyticsCommand.self]),
    ])

  /// The names of a command's subcommands: `show` of `config`.
  static func subcommandNames(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.map(name) + (command == NovaCommand.self ? ["help"] : [])
  }

  /// The subcommand with this name or alias.
  static func subcommand(_ word: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { name($0) == word || $0.configuration.aliases.contains(word) }
  }

  /// The name of a command on the command line.
  static func name(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }
}
