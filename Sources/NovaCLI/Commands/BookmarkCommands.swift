import ArgumentParser
import NovaCore
import NovaSDK

struct BookmarkPost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "bookmark", abstract: "Bookmark a post.")

  @Argument(help: ArgumentHelp("Who bookmarks.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = CreateBookmarkRequest(userId: user.text, postId: post.text)
      let response = try await context.content.createBookmark(request)
      try context.confirm(
        response, response.success, "", "\(user.text) has bookmarked \(post.text)", format.output)
    }
  }
}

struct UnbookmarkPost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "unbookmark", abstract: "Remove a bookmark.")

  @Argument(help: ArgumentHelp("Whose bookmark.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteBookmarkRequest(userId: user.text, postId: post.text)
      let response = try await context.content.deleteBookmark(request)
      try context.confirm(
        response, response.success, "", "\(user.text) has not bookmarked \(post.text)", format.output)
    }
  }
}
