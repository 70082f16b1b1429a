import ArgumentParser
import NovaCore
import NovaSDK

struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Show, write, change or delete a post.",
    subcommands: [PostShow.self, PostCreate.self, PostEdit.self, PostDelete.self])
}

struct PostShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a post.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Post.self)
    try await CommandContext.run(connection) { context in
      guard let found = try await context.content.getPost(postId: post.text) else {
        throw Failure("there is no post \(post.text.printable(to: 100))", .notFound)
      }
      try context.show(found, shape, format.output)
    }
  }
}

struct PostCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write a post, and show it.",
    discussion: """
      nova post create --as ada 'Morning walk along the river.'
      nova post create --as ada < text.txt
      """)

  @Argument(help: ArgumentHelp("What it says; - or nothing for standard input.", valueName: "text")) var text: String?
  @OptionGroup var actor: ActorOptions
  @Option(help: "A headline.") var title = ""
  @Option(help: "Who may see it: public, followers or private.") var privacy: String?
  @Option(help: "published, draft or archived.") var status: String?
  @Option(help: ArgumentHelp("An upload that belongs to it; may be repeated.", valueName: "upload-id"))
  var media: [String] = []
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Post.self)
    let text = try Input.text(text)
    try await CommandContext.run(connection) { context in
      let post = try await context.content.createPost(
        creatorId: try await context.id(of: actor), content: text, title: title,
        privacy: privacy.map { PostPrivacy(rawValue: $0) },
        status: status.map { PostStatus(rawValue: $0) }, mediaIds: media)
      try context.show(post, shape, format.output)
    }
  }
}

struct PostEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change what is given of a post, and show it.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @Argument(help: ArgumentHelp("What it says from now on; - for standard input.", valueName: "text")) var text: String?
  @Option(help: "The headline; an empty one removes it.") var title: String?
  @Option(help: "Who may see it: public, followers or private.") var privacy: String?
  @Option(help: "published, draft or archived.") var status: String?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    guard text == nil, title == nil, privacy == nil, status == nil else { return }
    throw ValidationError("nothing to change: give a text, --title, --privacy or --status")
  }

  func run() async throws {
    let shape = try format.shape(Post.self)
    let text = try text.map { try Input.text($0) }
    try await CommandContext.run(connection) { context in
      let changed = try await context.content.updatePost(
        postId: post.text, title: title, content: text, privacy: privacy.map { PostPrivacy(rawValue: $0) },
        status: status.map { PostStatus(rawValue: $0) })
      try context.show(changed, shape, format.output)
    }
  }
}

struct PostDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a post with its likes, comments and bookmarks.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post-id")) var post: PostID
  @OptionGroup var actor: ActorOptions
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let request = DeletePostRequest(postId: post.text, deletedById: try await context.id(of: actor))
      let response = try await context.content.deletePost(request)
      try context.confirm(response, true, "", "\(post.text) is deleted", format.output)
    }
  }
}
