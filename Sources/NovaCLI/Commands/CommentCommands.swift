import ArgumentParser
import NovaCore
import NovaSDK

struct CommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Write, change or delete a comment.",
    subcommands: [CommentCreate.self, CommentEdit.self, CommentDelete.self])
}

struct CommentCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write a comment, and show it.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @Argument(help: ArgumentHelp("What it says; - or nothing for standard input.", valueName: "text")) var text: String?
  @OptionGroup var actor: ActorOptions
  @Option(help: ArgumentHelp("The comment this answers.", valueName: "comment-id")) var replyTo: CommentID?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Comment.self)
    let text = try Input.text(text)
    try await CommandContext.run(connection) { context in
      let comment = try await context.social.createComment(
        postId: post.text, userId: try await context.id(of: actor), content: text, parentCommentId: replyTo?.text ?? "")
      try context.show(comment, shape, format.output)
    }
  }
}

struct CommentEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change what a comment says, and show it.")

  @Argument(help: ArgumentHelp("The comment's id.", valueName: "comment-id")) var comment: CommentID
  @Argument(help: ArgumentHelp("What it says from now on; - or nothing for standard input.", valueName: "text"))
  var text: String?
  @OptionGroup var actor: ActorOptions
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Comment.self)
    let text = try Input.text(text)
    try await CommandContext.run(connection) { context in
      let changed = try await context.social.updateComment(
        commentId: comment.text, userId: try await context.id(of: actor), content: text)
      try context.show(changed, shape, format.output)
    }
  }
}

struct CommentDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a comment: one's own, or on one's own post.")

  @Argument(help: ArgumentHelp("The comment's id.", valueName: "comment-id")) var comment: CommentID
  @OptionGroup var actor: ActorOptions
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeleteCommentRequest(commentId: comment.text, userId: try await context.id(of: actor))
      let response = try await context.social.deleteComment(request)
      try context.confirm(
        response, response.success, response.message, "\(comment.text) is deleted", format.output)
    }
  }
}
