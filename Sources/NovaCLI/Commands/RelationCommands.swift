import ArgumentParser
import NovaCore
import NovaSDK

struct Follow: ChangeCommand {
  static let configuration = CommandConfiguration(abstract: "Follow a user as another user.")

  @Argument(help: ArgumentHelp("ID of the user who follows.", valueName: "follower-id")) var follower: UserID
  @Argument(help: ArgumentHelp("ID of the user to follow.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateFollowResponse {
    { try await $0.graph.createFollow(CreateFollowRequest(followerId: follower.text, followeeId: followee.text)) }
  }

  func sentence(for response: CreateFollowResponse) -> String { "\(follower.text) follows \(followee.text)" }
}

struct Unfollow: ChangeCommand {
  static let configuration = CommandConfiguration(abstract: "Unfollow a user.")

  @Argument(help: ArgumentHelp("ID of the user who follows.", valueName: "follower-id")) var follower: UserID
  @Argument(help: ArgumentHelp("ID of the user to unfollow.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> DeleteFollowResponse {
    { try await $0.graph.deleteFollow(DeleteFollowRequest(followerId: follower.text, followeeId: followee.text)) }
  }

  func sentence(for response: DeleteFollowResponse) -> String { "\(follower.text) does not follow \(followee.text)" }
}

struct IsFollowing: QuestionCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check whether one user follows another: true or false.")
  static var answer: KeyPath<IsFollowingResponse, Bool> { \.isFollowing }

  @Argument(help: ArgumentHelp("ID of the user who may follow the other.", valueName: "follower-id")) var follower:
    UserID
  @Argument(help: ArgumentHelp("ID of the other user.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var options: ResultOptions

  func ask(_ context: CommandContext) async throws -> IsFollowingResponse {
    try await context.graph.isFollowing(IsFollowingRequest(followerId: follower.text, followeeId: followee.text))
  }
}

struct Mute: ChangeCommand {
  static let configuration = CommandConfiguration(abstract: "Mute a user for another user.")

  @Argument(help: ArgumentHelp("ID of the user who mutes.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("ID of the user to mute.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateMuteResponse {
    { try await $0.graph.createMute(CreateMuteRequest(muterId: muter.text, muteeId: mutee.text)) }
  }

  func sentence(for response: CreateMuteResponse) -> String { "\(muter.text) mutes \(mutee.text)" }
}

struct Unmute: ChangeCommand {
  static let configuration = CommandConfiguration(abstract: "Unmute a user.")

  @Argument(help: ArgumentHelp("ID of the user who mutes.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("ID of the user to unmute.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> DeleteMuteResponse {
    { try await $0.graph.deleteMute(DeleteMuteRequest(muterId: muter.text, muteeId: mutee.text)) }
  }

  func sentence(for response: DeleteMuteResponse) -> String { "\(muter.text) does not mute \(mutee.text)" }
}

struct IsMuted: QuestionCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check whether one user has muted another: true or false.")
  static var answer: KeyPath<IsMutedResponse, Bool> { \.isMuted }

  @Argument(help: ArgumentHelp("ID of the user who may mute the other.", valueName: "muter-id")) var muter: UserID
  @Argument(help: ArgumentHelp("ID of the other user.", valueName: "mutee-id")) var mutee: UserID
  @OptionGroup var options: ResultOptions

  func ask(_ context: CommandContext) async throws -> IsMutedResponse {
    try await context.graph.isMuted(IsMutedRequest(muterId: muter.text, muteeId: mutee.text))
  }
}

struct Block: ChangeCommand {
  static let configuration = CommandConfiguration(
    abstract: "Block a user for another user, and remove the follows between them.")

  @Argument(help: ArgumentHelp("ID of the user who blocks.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("ID of the user to block.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateBlockResponse {
    { try await $0.graph.createBlock(CreateBlockRequest(blockerId: blocker.text, blockedId: blocked.text)) }
  }

  func sentence(for response: CreateBlockResponse) -> String { "\(blocker.text) blocks \(blocked.text)" }
}

struct Unblock: ChangeCommand {
  static let configuration = CommandConfiguration(abstract: "Unblock a user. Removed follows are not restored.")

  @Argument(help: ArgumentHelp("ID of the user who blocks.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("ID of the user to unblock.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> DeleteBlockResponse {
    { try await $0.graph.deleteBlock(DeleteBlockRequest(blockerId: blocker.text, blockedId: blocked.text)) }
  }

  func sentence(for response: DeleteBlockResponse) -> String { "\(blocker.text) does not block \(blocked.text)" }
}

struct IsBlocked: QuestionCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check whether one user has blocked another: true or false.")
  static var answer: KeyPath<IsBlockedResponse, Bool> { \.isBlocked }

  @Argument(help: ArgumentHelp("ID of the user who may block the other.", valueName: "blocker-id")) var blocker: UserID
  @Argument(help: ArgumentHelp("ID of the other user.", valueName: "blocked-id")) var blocked: UserID
  @OptionGroup var options: ResultOptions

  func ask(_ context: CommandContext) async throws -> IsBlockedResponse {
    try await context.graph.isBlocked(IsBlockedRequest(blockerId: blocker.text, blockedId: blocked.text))
  }
}

struct Followers: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a user's followers, newest first.",
    usage: "nova followers <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "follower", many: "followers") { [graph = context.graph] limit, offset in
      let page = try await graph.getFollowers(userId: user.text, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    } all: { maximum, onShift in
      context.graph.followers(of: user.text, maximumCount: maximum, onShift: onShift)
    }
  }
}

struct Following: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the users that a user follows, newest follow first.",
    usage: "nova following <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "followed user", many: "followed users") { [graph = context.graph] limit, offset in
      let page = try await graph.getFollowing(userId: user.text, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    } all: { maximum, onShift in
      context.graph.following(of: user.text, maximumCount: maximum, onShift: onShift)
    }
  }
}
