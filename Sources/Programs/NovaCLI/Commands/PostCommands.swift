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
    return PagedList(one: "post", many: "posts") {
      context.content.posts(
        by: user, status: status.map { PostStatus(rawValue: $0) }, maximumCount: $0, onShift: $1)
    }
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
    return PagedList(one: "bookmark", many: "bookmarks") {
      context.content.bookmarks(of: user, maximumCount: $0, onShift: $1)
    }
  }
}

struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Show, write, edit, or delete a post.",
    subcommands: [PostShow.self, PostCreate.self, PostEdit.self, PostDelete.self])
}

struct PostShow: RecordCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a post.")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Post {
    { try Failure.required(await $0.content.getPost(postId: post.text), "post", id: post) }
  }
}

struct PostCreate: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write a post, and show it.",
    discussion: """
      nova post create 'Morning walk along the river.'
      nova post create --as ada < text.txt
      nova post create 'Our holiday.' --media beach.jpg --media upload-1
      """)

  @Argument(help: .value("text", "The text; - or nothing for standard input.")) var text: String?
  @OptionGroup var acting: ActorOptions
  @Option(help: "The title.") var title = ""
  @OptionGroup var state: PostStateOptions
  @Option(
    help: .value("file-or-upload-id", "A file to upload and attach, or the ID of an upload. Can be repeated."),
    completion: .file())
  var media: [PostMedia] = []
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Post {
    let media = try PostMediaFiles(media, readsInput: text == nil || text == "-")
    let text = try Input.text(text)
    return { context in
      let user = try await context.id(of: acting.actor())
      return try await media.use(context, user: user, isQuiet: progress.quiet) { ids in
        try await context.content.createPost(
          creatorId: user, content: text, title: title, privacy: state.postPrivacy, status: state.postStatus,
          mediaIds: ids)
      }
    }
  }
}

struct PostEdit: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the given parts of a post, and show it.")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @Argument(help: .value("text", "The new text; - for standard input.")) var text: String?
  @Option(help: "The new title; an empty one removes it.") var title: String?
  @OptionGroup var state: PostStateOptions
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: RecordOptions

  func validate() throws {
    guard text == nil, title == nil, state.privacy == nil, state.status == nil else { return }
    throw ValidationError("nothing to change: give a text, --title, --privacy or --status")
  }

  func call() throws -> (CommandContext) async throws -> Post {
    let text = try text.map { try Input.text($0) }
    return { context in
      try await context.check(account)
      return try await context.content.updatePost(
        postId: post.text, title: title, content: text, privacy: state.postPrivacy, status: state.postStatus)
    }
  }
}

/// The visibility and status of a post.
struct PostStateOptions: ParsableArguments {
  @Option(help: "Who can see the post: public, followers, or private.") var privacy: String?
  @Option(help: "The status: published, draft, or archived.") var status: String?

  var postPrivacy: PostPrivacy? { privacy.map { PostPrivacy(rawValue: $0) } }
  var postStatus: PostStatus? { status.map { PostStatus(rawValue: $0) } }
}

struct PostDelete: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a post with its likes, comments, and bookmarks.")

  @Argument(help: .value("post-id", "ID of the post.")) var post: PostID
  @OptionGroup var acting: ActorOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: ResultOptions

  func call() throws -> (CommandContext) async throws -> DeletePostResponse {
    let confirmation = try confirmation.confirmation(to: "delete post \"\(post.text.printable(to: 100))\"")
    return { context in
      let user = try await context.id(of: acting.actor())
      try confirmation.obtain(at: context.place)
      return try await context.content.deletePost(DeletePostRequest(postId: post.text, deletedById: user))
    }
  }

  func sentence(for response: DeletePostResponse) -> String { "\(post.text) is deleted" }
}
