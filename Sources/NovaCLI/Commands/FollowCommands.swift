import ArgumentParser
import NovaSDK

struct Follow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Make one user follow another.")

  @Argument(help: ArgumentHelp("Who follows.", valueName: "follower-id")) var follower: UserID
  @Argument(help: ArgumentHelp("Whom to follow.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateFollowRequest(followerId: follower.text, followeeId: followee.text)
      let response = try await context.graph.createFollow(request)
      try context.confirm(
        response, response.success, response.message, "\(follower.text) follows \(followee.text)", format.output)
    }
  }
}

struct Unfollow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "End a follow.")

  @Argument(help: ArgumentHelp("Who follows.", valueName: "follower-id")) var follower: UserID
  @Argument(help: ArgumentHelp("Whom to follow no longer.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteFollowRequest(followerId: follower.text, followeeId: followee.text)
      let response = try await context.graph.deleteFollow(request)
      try context.confirm(
        response, response.success, response.message, "\(follower.text) does not follow \(followee.text)", format.output
      )
    }
  }
}

struct IsFollowing: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Tell whether one user follows another: true or false.")

  @Argument(help: ArgumentHelp("Who may follow.", valueName: "follower-id")) var follower: UserID
  @Argument(help: ArgumentHelp("Whom they may follow.", valueName: "followee-id")) var followee: UserID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = IsFollowingRequest(followerId: follower.text, followeeId: followee.text)
      let response = try await context.graph.isFollowing(request)
      try context.tell(response, response.isFollowing, format.output)
    }
  }
}
