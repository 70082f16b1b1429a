import ArgumentParser
import NovaSDK

struct Comments: PagedRecordCommand, UserNaming {
  static let configuration = CommandConfiguration(
    commandName: "comments", abstract: "List a post's comments.",
    usage: "nova comments <post-id> [--sort <time>] [--order <order>] [--limit <count>] [--all] [<options>]")
  static let columns = ["id", "creator_id", "created_at", "content"]
  static let key = "comments"
  static let user = "creator_id"

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @Option(help: "The time to sort by.") var sort: Sort = .created
  @Option(help: "The order of the comments.") var order: Order = .newest
  @OptionGroup(title: "List") var names: NameOptions
  @OptionGroup var options: PagedOptions

  func list(_ context: CommandContext) -> PagedList<Comment> {
    PagedList(one: "comment", many: "comments") {
      context.social.comments(
        on: post.text, sortBy: sort.field, order: order.order, maximumCount: $0, onShift: $1)
    }
  }

  enum Sort: String, ExpressibleByArgument, CaseIterable {
    case created, updated

    var field: CommentSort { self == .created ? .createdAt : .updatedAt }
  }

  enum Order: String, ExpressibleByArgument, CaseIterable {
    case newest, oldest

    var order: SortOrder { self == .newest ? .descending : .ascending }
  }
}

struct CommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Write, edit, or delete a comment.",
    subcommands: [CommentCreate.self, CommentEdit.self, CommentDelete.self])
}

struct CommentCreate: RecordCommand {
  static let configuration = CommandConfiguration(commandName: "create", abstract: "Write a comment, and show it.")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @Argument(help: .value("text", "The text; - or nothing for standard input.")) var text: String?
  @OptionGroup var acting: ActorOptions
  @Option(help: .value("comment-id", "ID of the comment to reply to.")) var replyTo: CommentID?
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Comment {
    let text = try Input.text(text)
    return { context in
      try await context.social.createComment(
        postId: post.text, userId: try await context.id(of: acting.actor()), content: text,
        parentCommentId: replyTo?.text ?? "")
    }
  }
}

struct CommentEdit: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the text of a comment, and show it.")

  @Argument(help: .value("comment-id", "ID of the comment.")) var comment: CommentID
  @Argument(help: .value("text", "The new text; - or nothing for standard input.")) var text: String?
  @OptionGroup var acting: ActorOptions
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Comment {
    let text = try Input.text(text)
    return { context in
      try await context.social.updateComment(
        commentId: comment.text, userId: try await context.id(of: acting.actor()), content: text)
    }
  }
}

struct CommentDelete: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete your own comment, or a comment on your own post.")

  @Argument(help: .value("comment-id", "ID of the comment.")) var comment: CommentID
  @OptionGroup var acting: ActorOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: ResultOptions

  func call() throws -> (CommandContext) async throws -> DeleteCommentResponse {
    let confirmation = try confirmation.confirmation(to: "delete comment \"\(comment.text.printable(to: 100))\"")
    return { context in
      let user = try await context.id(of: acting.actor())
      try confirmation.obtain(at: context.place)
      return try await context.social.deleteComment(DeleteCommentRequest(commentId: comment.text, userId: user))
    }
  }

  func sentence(for response: DeleteCommentResponse) -> String { "\(comment.text) is deleted" }
}
