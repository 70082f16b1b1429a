import ArgumentParser
import NovaCore
import NovaSDK

struct Followers: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a user's followers, newest first.",
    usage: "nova followers <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "follower", many: "followers") {
      context.graph.followers(of: user.text, maximumCount: $0, onShift: $1)
    }
  }
}

struct Following: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the users that a user follows, newest follow first.",
    usage: "nova following <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "followed user", many: "followed users") {
      context.graph.following(of: user.text, maximumCount: $0, onShift: $1)
    }
  }
}

struct Likes: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the users who like a post, newest like first.",
    usage: "nova likes <post-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "user_id"

  @Argument(help: ArgumentHelp("ID of the post.", valueName: "post-id")) var post: PostID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "like", many: "likes") {
      context.social.likers(of: post.text, maximumCount: $0, onShift: $1)
    }
  }
}

struct Liked: PagedIDCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the posts that a user likes, newest like first.",
    usage: "nova liked <user-id> [--limit <count>] [--offset <count>] [--all] [<options>]")
  static let key = "post_id"

  @Argument(help: ArgumentHelp("ID of the user.", valueName: "user-id")) var user: UserID
  @OptionGroup var options: PagedIDOptions

  func list(_ context: CommandContext) -> PagedList<String> {
    PagedList(one: "liked post", many: "liked posts") {
      context.social.likedPostIds(by: user.text, maximumCount: $0, onShift: $1)
    }
  }
}
