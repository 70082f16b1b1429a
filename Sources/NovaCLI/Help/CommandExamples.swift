/// Examples of commands whose help has none in its discussion. Tests run those with `--mock`, and parse all others.
enum CommandExamples {
  /// The command lines for a command. For a group, those of its subcommands, one each.
  static func lines(of command: CommandTree) -> [String] {
    if let arguments = table[command.path.joined(separator: " ")] {
      return arguments.map { "\(command.name) \($0)".trimmingSuffixSpaces }
    }
    return command.subcommands.prefix(4).compactMap(\.examples.first)
  }

  /// The arguments of the examples, by the words of the command.
  private static let table: [String: [String]] = [
    "logout": [""],
    "whoami": ["", "-o json"],
    "login": ["ada@example.com"],
    "register": ["ada@example.com ada"],
    "posts": ["mock-user-id --limit 5 --mock"],
    "post show": ["post-1 --mock"],
    "post edit": ["post-1 'A new text.'"],
    "post delete": ["post-1 --as mock-user-id --yes --mock"],
    "bookmarks": ["mock-user-id --all -o ids --mock"],
    "bookmark": ["mock-user-id post-1 --mock"],
    "unbookmark": ["mock-user-id post-1 --mock"],
    "stats": ["post-1 post-2 --mock"],
    "like": ["mock-user-id post-1 --mock"],
    "unlike": ["mock-user-id post-1 --mock"],
    "likes": ["post-1 --mock"],
    "liked": ["mock-user-id --limit 5 --mock"],
    "comments": ["post-246 --mock"],
    "comment create": ["post-1 'Well said.' --as mock-user-id --mock"],
    "comment edit": ["comment-1 'Same here!' --as user-1858 --mock"],
    "comment delete": ["comment-1 --as user-1858 --yes --mock"],
    "share": ["mock-user-id post-1 --mock"],
    "profile": ["mock-user-id --mock", "edit --bio 'Walks, coffee, code.' --as mock-user-id --mock"],
    "profile show": ["mock-user-id --posts 1 --mock"],
    "profile edit": ["--bio 'Walks, coffee, code.' --as mock-user-id --mock"],
    "search": ["bruce --mock"],
    "feed": ["mock-user-id --limit 5 --mock"],
    "creators": ["mock-user-id --mock"],
    "videos": ["mock-user-id --mock"],
    "reels": ["--limit 5 --mock"],
    "video show": ["video-1"],
    "reel show": ["reel-1"],
    "upload": ["photo.jpg", "holiday.mp4 walk.mov --concurrency 2 -o ids"],
    "uploads list": ["--mock", "-o json"],
    "uploads resume": ["--all"],
    "uploads cancel": ["wbc7ahuguj --yes"],
    "download": ["upload-1", "https://cdn.nova.social/videos/1.mp4 -o holiday.mp4", "upload-1 -o - > photo.jpg"],
    "avatar set": ["photo.jpg"],
    "cache info": ["", "-o json"],
    "cache clear": ["--yes"],
    "analytics show": ["--mock", "--events -o json"],
    "analytics flush": ["--mock", "-o json"],
    "analytics off": ["--yes"],
    "analytics on": [""],
    "capture add": ["'The light this morning.' --mock"],
    "capture list": ["--all -o ndjson --mock"],
    "capture show": ["7"],
    "capture meaning": ["7 'A calm start.'"],
    "capture delete": ["7 --yes"],
    "pets": ["--mock"],
    "pet": ["pet-1 --mock"],
    "followers": ["mock-user-id --mock", "mock-user-id --all -o ids --mock"],
    "following": ["mock-user-id --limit 5 --mock"],
    "follow": ["mock-user-id user-0007 --mock"],
    "unfollow": ["mock-user-id user-0007 --mock"],
    "is-following": ["mock-user-id user-0007 --mock"],
    "mute": ["mock-user-id user-0007 --mock"],
    "unmute": ["mock-user-id user-0007 --mock"],
    "is-muted": ["mock-user-id user-0007 --mock"],
    "block": ["mock-user-id user-0007 --mock"],
    "unblock": ["mock-user-id user-0007 --mock"],
    "is-blocked": ["mock-user-id user-0007 --mock"],
    "contract check": ["--base-url http://localhost:8080"],
    "fixtures check": ["fixtures"],
    "fixtures diff": ["fixtures other-fixtures"],
    "fixtures list": [""],
    "config": ["show"],
    "config show": ["", "--environment staging -o json"],
    "context current": [""],
    "config trust": [""],
    "config untrust": [""],
    "serve": ["", "--port 0 --fault social.CreateLike=503x2"],
    "completion": ["bash"],
    "generate-man": ["man/man1"],
  ]
}

extension String {
  fileprivate var trimmingSuffixSpaces: String { hasSuffix(" ") ? String(dropLast()) : self }
}
