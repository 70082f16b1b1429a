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
    var list = PagedList(one: "comment", many: "comments") {
      context.social.comments(
        on: post.text, sortBy: sort.field, order: order.order, maximumCount: $0, onShift: $1)
    }
    list.whenEmpty = { try await context.requirePost(post.text) }
    return list
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
    usage: """
      nova comment <post-id> <text> [<options>]
      nova comment <subcommand>
      """,
    discussion: """
      nova comment post-1 'Well said.'
      nova comment edit comment-1 'Same here!'
      """,
    subcommands: [CommentCreate.self, CommentEdit.self, CommentDelete.self], defaultSubcommand: CommentCreate.self)
}

struct CommentCreate: RecordCommand, WordTaking {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write a comment, and show it.",
    usage: "nova comment [create] <post-id> [<text>] [--reply-to <comment-id>] [<options>]")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @Argument(help: .value("text", "The text; - or nothing for standard input.")) var text: String?
  @OptionGroup var writing: EditorOptions
  @OptionGroup var acting: ActorOptions
  @Option(help: .value("comment-id", "ID of the comment to reply to.")) var replyTo: CommentID?
  @OptionGroup var options: RecordOptions

  func validate() throws { try writing.check(text) }

  /// A word close to a subcommand is more likely a typing error than the ID of a post.
  static func subcommand(meantBy word: String, among names: [String]) throws -> String? {
    guard let name = Suggestion.closest(to: word, among: names) else { return nil }
    throw Failure(
      "not found: command \("comment \(word)".quoted)",
      hint: "Did you mean \(name)? To comment on this post, use `nova comment create \(word.displayed.shellWord)`.",
      .usage)
  }

  func call() throws -> (CommandContext) async throws -> Comment {
    let text = try writing.text(text, in: "comment.txt")
    return { context in
      try await text.send { text in
        try await context.social.createComment(
          postId: post.text, userId: try await context.id(of: acting.actor()), content: text,
          parentCommentId: replyTo?.text ?? "")
      }
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

struct CommentDelete: DeletingCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete your own comments, or comments on your own posts.",
    usage: "nova comment delete <comment-id> ... [--yes] [<options>]")
  static let unit = (one: "comment", many: "comments", field: "comment_id")

  @Argument(help: .value("comment-id", "IDs of the comments; - for those on standard input.")) var comments: [String] =
    []
  @OptionGroup var acting: ActorOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: ResultOptions

  func validate() throws { _ = try ids }

  var ids: IDArguments { get throws { try IDArguments(comments, named: "comment-id") } }

  func deletion(_ context: CommandContext) async throws -> (EntityID) async throws -> DeleteCommentResponse {
    let user = try await context.id(of: acting.actor())
    return { try await context.social.deleteComment(DeleteCommentRequest(commentId: $0.text, userId: user)) }
  }
}
