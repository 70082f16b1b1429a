import Foundation

extension WalkAction {
  /// The command.
  ///
  /// - Parameters:
  ///   - seat: where its token comes from. A token whose user the program does not know needs `--as`.
  ///   - author: the user whose text it writes; nil for a text of nobody.
  ///   - home: the home directory.
  func arguments(at seat: WalkSeat, author: WalkUser?, home: String) -> [String] {
    let actor: [String] = if case .token(let user) = seat { ["--as", user.id] } else { [] }
    switch self {
    case .signIn(let user): return ["login", user.email, "--password-stdin", "-o", "json"]
    case .signOut: return ["logout"]
    case .read(let read, let policy): return read.arguments(actor) + policy.options + ["-o", "json"]
    case .write(let write, let policy, let number):
      let text = "\(number) by \(author?.mark ?? "nobody")"
      return write.arguments(text, actor, author: author) + policy.options + ["-o", "json"]
    case .flush: return ["outbox", "flush"]
    case .outboxList: return ["outbox", "list", "-o", "json"]
    case .upload(let index): return ["upload", WalkDesk.files[index], "-q", "-o", "json"] + actor
    case .uploadAll: return ["upload", "--concurrency", "1", "-q", "-o", "json"] + WalkDesk.files + actor
    case .resumeAll: return ["uploads", "resume", "--all", "-q", "-o", "json"]
    case .resume(let index):
      let records = (try? FileManager.default.contentsOfDirectory(atPath: "\(home)/.local/state/nova/uploads")) ?? []
      let ids = records.filter { $0.hasSuffix(".upload") }.map { String($0.dropLast(7)) }.sorted()
      return ["uploads", "resume", ids.isEmpty ? "none" : ids[index % ids.count], "-q", "-o", "json"]
    case .download(let media, let isCached):
      return ["download", media.rawValue, "-o", media.fileName, "--force", "-q"] + (isCached ? ["--cache"] : [])
    case .watch: return ["watch", "me", "--limit", "2", "-o", "ndjson"]
    }
  }
}

extension WalkMedia {
  /// The file that it is downloaded to, by all users.
  var fileName: String { "copy-of-\(rawValue.split(separator: "/").last ?? "")" }
}

extension WalkAction.Read {
  fileprivate func arguments(_ actor: [String]) -> [String] {
    switch self {
    case .post: ["post", "show", "post-1"]
    case .likes: ["likes", "post-1"]
    case .captures: ["capture", "list"]
    case .followers: ["followers"] + actor.dropFirst()
    case .profiles: ["followers", "--fields", "user_id,display_name"] + actor.dropFirst()
    case .whoami: ["whoami"]
    }
  }
}

extension WalkAction.Write {
  fileprivate func arguments(_ text: String, _ actor: [String], author: WalkUser?) -> [String] {
    switch self {
    case .capture: ["capture", "add", text]
    case .captureAs: ["capture", "add", text, "--as", author?.id ?? "nobody"]
    case .post: ["post", "create", text] + actor
    case .postWithFile: ["post", "create", text, "--media", WalkDesk.files[0], "-q"] + actor
    case .comment: ["comment", "create", "post-1", text] + actor
    case .like: ["like", "post-1"] + actor
    case .follow: ["follow", "friend"] + actor
    }
  }
}

extension WalkAction.Policy {
  fileprivate var options: [String] {
    switch self {
    case .none: []
    case .networkFirst: ["--cache", "network-first"]
    case .cacheFirst: ["--cache", "cache-first"]
    case .cacheOnly: ["--cache", "cache-only"]
    case .offline: ["--offline"]
    }
  }
}
