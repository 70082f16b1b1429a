import ArgumentParser
import NovaSDK

struct Videos: RecordListCommand {
  static let configuration = CommandConfiguration(
    commandName: "videos", abstract: "List a user's videos, newest first.",
    usage: "nova videos [<user-id>] [--limit <count>] [<options>]")
  static let columns = ["id", "created_at", "status", "duration_seconds", "title"]
  static let key = "videos"
  static let unit = (one: "video", many: "videos")

  @OptionGroup var user: UserArgument
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup var options: RecordListOptions

  func load(_ context: CommandContext) async throws -> [Video] {
    let user = try await context.id(of: user.actor)
    let request = GetUserVideosRequest(userId: user, limit: limit.limit ?? 0)
    let videos = try await context.media.getUserVideos(request).videos
    if videos.isEmpty { try await self.user.requireExistence(of: user, context) }
    return videos
  }
}

struct Reels: RecordListCommand, UserNaming {
  static let configuration = CommandConfiguration(
    commandName: "reels", abstract: "List reels, newest first.", usage: "nova reels [--limit <count>] [<options>]")
  static let columns = ["id", "creator_id", "created_at", "status", "caption"]
  static let key = "reels"
  static let unit = (one: "reel", many: "reels")
  static let user = "creator_id"

  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var names: NameOptions
  @OptionGroup var options: RecordListOptions

  func load(_ context: CommandContext) async throws -> [Reel] {
    try await context.media.listReels(ListReelsRequest(limit: limit.limit ?? 0)).reels
  }
}
