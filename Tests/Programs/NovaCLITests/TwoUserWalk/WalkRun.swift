import Foundation
import NovaTestSupport

/// A command of a walk that has ended.
struct WalkRun {
  let action: WalkAction
  let seat: WalkSeat
  /// Those as whom it may have begun. It shows the content of one of them at most.
  var users: Set<WalkUser>
  let result: RunResult
  /// The signal that it got.
  var signal: Int32?
  /// Whether another command may have written the file to which it downloads.
  var sharesCopies = false

  /// What is wrong with what it wrote; nil if nothing is.
  ///
  /// - Parameter isUndisturbed: whether nothing else happened, so that it must succeed.
  func problem(in desk: WalkDesk, isUndisturbed: Bool) -> String? {
    let marked = WalkUser.marked(in: result.output + result.errors)
    if !marked.isSubset(of: users) || marked.count > 1 { return "\(action) shows content of \(names(marked))" }
    // Messages may name the user that an upload belongs to. That of an upload which cannot be resumed is in the output.
    let named = action.reportsOwner ? [] : WalkUser.named(in: result.output)
    if !named.isSubset(of: users) || named.count > 1 { return "\(action) prints the ID of \(names(named))" }
    if result.status >= 128, signal == nil { return "\(action) crashed" }
    if let problem = problem(ofCopyIn: desk) { return problem }
    guard isUndisturbed, let user = users.first, users.count == 1 else { return nil }
    guard action.mustSucceed(for: user, at: seat) else { return nil }
    if result.status != 0 { return "\(action) has failed without a reason" }
    return action.showsContent && !marked.contains(user) ? "\(action) does not show the user's content" : nil
  }

  /// A file has all bytes of one user's file, and no others.
  private func problem(ofCopyIn desk: WalkDesk) -> String? {
    guard case .download(let media, _) = action, let copy = try? desk.folder.bytes(media.fileName) else { return nil }
    let users = sharesCopies ? Set(WalkUser.allCases) : users
    if users.contains(where: { media.bytes(for: $0) == copy }) { return nil }
    let named = WalkUser.marked(in: String(decoding: copy, as: UTF8.self))
    return "\(action) wrote \(copy.count) bytes of \(names(named))"
  }

  private func names(_ users: Set<WalkUser>) -> String {
    users.map(\.rawValue).sorted().joined(separator: " and ")
  }
}

extension WalkAction {
  /// Whether it opens or ends a session.
  var changesTheUser: Bool {
    switch self {
    case .signIn, .signOut: true
    default: false
    }
  }

  /// Who is signed in afterwards, if it is a sign-in.
  var newUser: WalkUser? { if case .signIn(let user) = self { user } else { nil } }

  /// Whether it is refused for any other user than the one who it names.
  var namesItsUser: Bool { if case .write(.captureAs, _, _) = self { true } else { false } }

  /// Whether its output may say whose an upload is.
  fileprivate var reportsOwner: Bool { if case .resume = self { true } else { false } }

  /// Whether it succeeds if nothing happens.
  fileprivate func mustSucceed(for user: WalkUser, at seat: WalkSeat) -> Bool {
    switch self {
    case .read(_, .none), .read(_, .networkFirst), .write(_, .none, _): true
    case .signIn, .signOut, .upload, .uploadAll, .watch: true
    case .download(let media, _): media.bytes(for: user) != nil
    default: false
    }
  }

  /// Whether it then shows what the gateway has for the user.
  fileprivate var showsContent: Bool {
    switch self {
    case .read(.post, _), .read(.likes, _), .read(.captures, _), .read(.followers, _), .read(.profiles, _), .watch: true
    default: false
    }
  }
}
