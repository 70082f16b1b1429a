import ArgumentParser
import NovaSDK

struct Posts: PagedRecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "posts", abstract: "List a user's posts, newest first.",
    usage: "nova posts [<user-id>] [--status <status>] [--limit <count>] [--all] [<options>]")
  static let columns = ["id", "created_at", "status", "privacy", "content"]
  static let key = "posts"

  @OptionGroup var user: UserArgument
  @Option(help: "Only list posts with this status: published, draft, or archived.") var status: String?
  @OptionGroup var options: PagedOptions

  func list(_ context: CommandContext) async throws -> PagedList<Post> {
    let user = try await context.id(of: user.actor)
    var list = PagedList(one: "post", many: "posts") {
      context.content.posts(
        by: user, status: status.map { PostStatus(rawValue: $0) }, maximumCount: $0, onShift: $1)
    }
    list.whenEmpty = { try await self.user.requireExistence(of: user, context) }
    return list
  }
}

struct Bookmarks: PagedRecordCommand, UserNaming {
  static let configuration = CommandConfiguration(
    commandName: "bookmarks", abstract: "List a user's bookmarked posts, newest bookmark first.",
    usage: "nova bookmarks [<user-id>] [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let columns = ["id", "creator_id", "created_at", "content"]
  static let key = "posts"
  static let user = "creator_id"

  @OptionGroup var user: UserArgument
  @OptionGroup(title: "List") var names: NameOptions
  @OptionGroup var options: PagedOptions

  func list(_ context: CommandContext) async throws -> PagedList<Post> {
    let user = try await context.id(of: user.actor)
    var list = PagedList(one: "bookmark", many: "bookmarks") {
      context.content.bookmarks(of: user, maximumCount: $0, onShift: $1)
    }
    list.whenEmpty = { try await self.user.requireExistence(of: user, context) }
    return list
  }
}

struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Show, write, edit, or delete a post.",
    subcommands: [PostShow.self, PostCreate.self, PostEdit.self, PostDelete.self])
}

struct PostShow: RecordsByIDCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a post, or several.", usage: "nova post show <post-id> ... [<options>]")
  static let key = "posts"

  @OptionGroup var posts: PostArguments
  @OptionGroup var options: RecordOptions

  var ids: IDArguments { get throws { try posts.ids } }

  func load(_ id: EntityID, _ context: CommandContext) async throws -> Post {
    try Failure.required(await context.content.getPost(postId: id.text), "post", id: id)
  }
}

struct PostCreate: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write a post, and show it.",
    discussion: """
      nova post create 'Morning walk along the river.'
      nova post create --as ada < text.txt
      nova post create 'Our holiday.' --media beach.jpg --media upload-1
      nova post create --editor

      Without a text, the editor in VISUAL or EDITOR is opened on a terminal. A text that cannot be sent is kept.
      """)

  @Argument(help: .value("text", "The text; - or nothing for standard input.")) var text: String?
  @OptionGroup var writing: EditorOptions
  @OptionGroup var acting: ActorOptions
  @Option(help: "The title.") var title = ""
  @OptionGroup var state: PostStateOptions
  @Option(
    help: .value("file-or-upload-id", "A file to upload and attach, or the ID of an upload. Can be repeated."),
    completion: .file())
  var media: [PostMedia] = []
  @OptionGroup var options: RecordOptions

  func validate() throws { try writing.check(text) }

  func call() throws -> (CommandContext) async throws -> Post {
    let media = try PostMediaFiles(media, readsInput: !writing.editor && (text == nil || text == "-"))
    let text = try writing.text(text, in: "post.txt")
    return { context in
      try await text.send { text in
        let user = try await context.id(of: acting.actor())
        return try await media.use(context, user: user, isQuiet: options.connection.quiet) { ids in
          try await context.content.createPost(
            creatorId: user, content: text, title: title, privacy: state.postPrivacy, status: state.postStatus,
            mediaIds: ids)
        }
      }
    }
  }
}

struct PostEdit: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the given parts of a post, and show it.")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @Argument(help: .value("text", "The new text; - for standard input.")) var text: String?
  @Flag(name: .shortAndLong, help: "Change the text in an editor: VISUAL, EDITOR, or vi.") var editor = false
  @Option(help: "The new title; an empty one removes it.") var title: String?
  @OptionGroup var state: PostStateOptions
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: RecordOptions

  func validate() throws {
    if editor, text != nil { throw ValidationError("--editor and a text cannot be combined") }
    guard text == nil, !editor, title == nil, state.privacy == nil, state.status == nil else { return }
    throw ValidationError("nothing to change: give a text, --editor, --title, --privacy or --status")
  }

  func call() throws -> (CommandContext) async throws -> Post {
    let text = try text.map { try Input.text($0) }
    return { context in
      try await context.check(account)
      guard editor else { return try await update(context, text: text) }
      let current = try Failure.required(await context.content.getPost(postId: post.text), "post", id: post)
      return try await TextEditor.edit(current.content, in: "post.txt").send { text in
        try await update(context, text: text.hasSameBytes(as: current.content) ? nil : text)
      }
    }
  }

  private func update(_ context: CommandContext, text: String?) async throws -> Post {
    guard text != nil || title != nil || state.privacy != nil || state.status != nil else {
      throw Failure("nothing was changed: the text is the same", .failed)
    }
    return try await context.content.updatePost(
      postId: post.text, title: title, content: text, privacy: state.postPrivacy, status: state.postStatus)
  }
}

/// The visibility and status of a post.
struct PostStateOptions: ParsableArguments {
  @Option(help: "Who can see the post: public, followers, or private.") var privacy: String?
  @Option(help: "The status: published, draft, or archived.") var status: String?

  var postPrivacy: PostPrivacy? { privacy.map { PostPrivacy(rawValue: $0) } }
  var postStatus: PostStatus? { status.map { PostStatus(rawValue: $0) } }
}

struct PostDelete: DeletingCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a post, or several, with likes, comments, and bookmarks.",
    usage: "nova post delete <post-id> ... [--yes] [<options>]")
  static let unit = (one: "post", many: "posts", field: "post_id")

  @OptionGroup var posts: PostArguments
  @OptionGroup var acting: ActorOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: ResultOptions

  var ids: IDArguments { get throws { try posts.ids } }

  func deletion(_ context: CommandContext) async throws -> (EntityID) async throws -> DeletePostResponse {
    let user = try await context.id(of: acting.actor())
    return { try await context.content.deletePost(DeletePostRequest(postId: $0.text, deletedById: user)) }
  }
}
