import ArgumentParser
import NovaCore
import NovaSDK

struct LikePost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "like", abstract: "Make a user like a post.")

  @Argument(help: ArgumentHelp("Who likes.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateLikeRequest(userId: user.text, postId: post.text)
      let response = try await context.social.createLike(request)
      try context.confirm(
        response, response.success, response.message,
        "\(user.text) likes \(post.text), which has \(Self.likes(response.likeCount))", format.output)
    }
  }
}

struct UnlikePost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "unlike", abstract: "Take a like back.")

  @Argument(help: ArgumentHelp("Who likes it no longer.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteLikeRequest(userId: user.text, postId: post.text)
      let response = try await context.social.deleteLike(request)
      try context.confirm(
        response, response.success, response.message,
        "\(user.text) does not like \(post.text), which has \(LikePost.likes(response.likeCount))", format.output)
    }
  }
}

extension LikePost {
  /// `1 like`.
  static func likes(_ count: Int64) -> String { count == 1 ? "1 like" : "\(count) likes" }
}
