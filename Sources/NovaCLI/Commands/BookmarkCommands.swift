import ArgumentParser
import NovaCore
import NovaSDK

struct BookmarkPost: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "bookmark", abstract: "Bookmark a post as a user.")

  @Argument(help: ArgumentHelp("ID of the user who bookmarks the post.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> CreateBookmarkResponse {
    { try await $0.content.createBookmark(CreateBookmarkRequest(userId: user.text, postId: post.text)) }
  }

  func sentence(for response: CreateBookmarkResponse) -> String { "\(user.text) has bookmarked \(post.text)" }
}

struct UnbookmarkPost: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "unbookmark", abstract: "Remove a bookmark.")

  @Argument(help: ArgumentHelp("ID of the user who bookmarked the post.", valueName: "user-id")) var user: UserID
  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: ResultOptions

  func call() -> (CommandContext) async throws -> DeleteBookmarkResponse {
    { try await $0.content.deleteBookmark(DeleteBookmarkRequest(userId: user.text, postId: post.text)) }
  }

  func sentence(for response: DeleteBookmarkResponse) -> String { "\(user.text) has not bookmarked \(post.text)" }
}

struct Bookmarks: PagedRecordCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a user's bookmarked posts, newest bookmark first.",
    usage: "nova bookmarks <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let columns = ["id", "creator_id", "created_at", "content"]
  static let key = "posts"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedRecordOptions

  func list(_ context: CommandContext) -> PagedList<Post> {
    PagedList(one: "bookmark", many: "bookmarks") { [content = context.content] limit, offset in
      let page = try await content.getUserBookmarks(userId: user.text, limit: limit, offset: offset)
      return Page(items: page.posts, totalCount: page.total, hasMore: page.hasMore)
    } all: { maximum, onShift in
      context.content.bookmarks(of: user.text, maximumCount: maximum, onShift: onShift)
    }
  }
}
