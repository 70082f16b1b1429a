import ArgumentParser
import NovaCore
import NovaSDK

struct Creators: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List whom a user may want to follow, best first.",
    usage: "nova creators <user-id> [--limit <count>] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      RecommendedCreator.self, columns: ["id", "name", "follower_count", "relevance_score", "reason"])
    try await CommandContext.run(connection) { context in
      let creators = try await context.feed.getRecommendedCreators(userId: user.text, limit: limit.limit ?? 0)
      try context.list(creators, shape, key: "creators", format.output)
    }
  }
}

struct Videos: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a user's videos, newest first.", usage: "nova videos <user-id> [--limit <count>] [<options>]")

  @Argument(help: ArgumentHelp("The user's id.", valueName: "user-id")) var user: UserID
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      Video.self, columns: ["id", "created_at", "status", "duration_seconds", "title"])
    try await CommandContext.run(connection) { context in
      let request = GetUserVideosRequest(userId: user.text, limit: limit.limit ?? 0)
      try context.list(try await context.media.getUserVideos(request).videos, shape, key: "videos", format.output)
    }
  }
}

struct Reels: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List reels, newest first.", usage: "nova reels [--limit <count>] [<options>]")

  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      Reel.self, columns: ["id", "creator_id", "created_at", "status", "caption"])
    try await CommandContext.run(connection) { context in
      let request = ListReelsRequest(limit: limit.limit ?? 0)
      try context.list(try await context.media.listReels(request).reels, shape, key: "reels", format.output)
    }
  }
}
