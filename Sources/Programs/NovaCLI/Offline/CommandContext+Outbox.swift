import NovaOffline
import NovaSDK

extension CommandContext {
  /// The outbox; nil if no change was ever queued. Creates no files.
  ///
  /// - Parameter needsUser: whether the command is about the changes of the signed-in user, not those of all users.
  /// - Throws: ``Failure`` if a user is needed and no user is signed in.
  func outbox(needsUser: Bool = true) async throws -> Outbox? {
    guard stored?.directory.hasOutbox == true else { return nil }
    if needsUser {
      guard try await !nova.identity.isAnonymous else {
        throw Failure(
          "not signed in at \(place): each user has changes of their own in the outbox",
          hint:
            "Sign in with `\(configuration.signInCommand())`, or list the changes of all users with `nova outbox list "
            + "--all`.", .notAllowed)
      }
    }
    let outbox = try nova.offline.outbox
    await outbox.load()
    return outbox
  }

  /// The entry with an ID.
  ///
  /// - Parameter ofAll: whether it may be another user's.
  /// - Throws: ``Failure`` if no such entry exists.
  func entry(_ id: Int64, in outbox: Outbox?, ofAll: Bool) async throws -> OutboxEntry {
    if let entry = try await outbox?.entries.first(where: { $0.id == id }) { return entry }
    guard let other = try await outbox?.otherEntries.first(where: { $0.id == id }) else {
      throw Failure(
        "not found: change \(id) in the outbox",
        hint: "It may have been sent. List what waits with `nova outbox list`.", .notFound)
    }
    if ofAll { return other }
    throw Failure(
      "cannot send change \(id): it was made by \(other.maker)",
      hint: "Sign in there to send it, or drop it with `nova outbox discard \(id)`.", .notAllowed)
  }

  /// Reports on a terminal that the outbox has changes of other users.
  func noteOthers(_ outbox: Outbox?) {
    guard let count = outbox?.state.others, count > 0, System.isTerminal(System.standardError) else { return }
    let changes = CountText.phrase(count, one: "change of another sign-in", many: "changes of other sign-ins")
    Diagnostics.note("\(changes): nova outbox list --all")
  }

  /// - Throws: ``Failure`` in offline mode.
  func checkSending() throws {
    guard configuration.isOffline else { return }
    throw Failure(
      "cannot send: offline mode is on",
      hint: "Leave out --offline, and turn offline mode off with NOVA_OFFLINE=0 or in APIConfig.json.", .noConnection)
  }

  /// Sends all queued changes, and reports what happened to them.
  ///
  /// - Throws: ``Failure`` if a change is refused, or is still queued.
  func flush(_ outbox: Outbox?, as format: OutputFormat) async throws {
    let flush = await outbox?.flushed() ?? OutboxFlushReport()
    try Task.checkCancellation()
    let entries = flush.blocked > 0 ? (try? await outbox?.entries) ?? [] : []
    try finish(flush, outbox?.state ?? OutboxState(), entries: entries, as: format)
    if format == .table { noteOthers(outbox) }
  }

  /// Reports what happened to changes that were sent.
  ///
  /// - Parameters:
  ///   - state: the state of the outbox on this machine; nil for one in a database.
  ///   - entries: the changes that are still in the outbox, at least if some of them are blocked.
  ///   - holder: what another program does with the changes, as a sentence; nil if it is unknown.
  /// - Throws: ``Failure`` if a change is refused, or is still queued.
  func finish(
    _ flush: OutboxFlushReport, _ state: OutboxState?, entries: [OutboxEntry], holder: String? = nil,
    as format: OutputFormat
  ) throws {
    let summary = flush.summary
    try report(OutboxSummary.fields.json(summary), as: format, sentence: summary.sentence)
    let rest = unsent(after: flush, state, entries: entries, holder: holder)
    if rest?.reason != state?.problem { warn(about: state) }
    if let rest { throw rest.failure }
    guard format == .table else { return }
    let earlier = summary.dead - summary.refused
    let options = Self.options(isInDatabase: state == nil)
    if earlier > 0 { Diagnostics.note("\(Self.changes(earlier)) refused earlier: nova outbox list\(options)") }
  }

  /// Reports what is wrong with the outbox itself. Every command reports damaged files at its end.
  func warn(about state: OutboxState?) {
    guard let problem = state?.problem, stored?.damageNotices.contains(problem) != true else { return }
    Diagnostics.warning(problem)
  }

  private static func changes(_ count: Int) -> String {
    CountText.phrase(count, one: "change was", many: "changes were")
  }

  /// Why not all was sent, and the reason that the failure names; nil if all was sent.
  private func unsent(
    after flush: OutboxFlushReport, _ state: OutboxState?, entries: [OutboxEntry], holder: String?
  ) -> (failure: Failure, reason: String?)? {
    let (summary, cause) = (flush.summary, flush.failure)
    let options = Self.options(isInDatabase: state == nil)
    let status = cause.map { ExitStatus.of(APIError($0.code, $0.message)) } ?? .failed
    func failed(_ what: String, because reason: String?, hint: String, _ status: ExitStatus) -> (
      failure: Failure, reason: String?
    ) {
      (Failure(ErrorText(what, reason: reason).sentence, hint: hint, status), reason)
    }
    if summary.refused > 0 {
      return failed(
        "\(Self.changes(summary.refused)) refused", because: cause?.message,
        hint: Self.advice(isForExisting: cause?.code == .unconfirmed, options), status)
    }
    switch summary.pause {
    case .offline:
      return failed(
        "cannot reach the gateway", because: cause?.message,
        hint: "Run `nova outbox flush\(options)` again when it can be reached.", .noConnection)
    // Also if the session ended during the flush: the queued writes then belong to another sign-in.
    case .signedOut:
      return failed(
        "the gateway does not accept the session", because: cause?.message, hint: configuration.signInAdvice,
        .notAllowed)
    case .rateLimited:
      return failed("the gateway asks to wait", because: cause?.message, hint: Self.laterAdvice(options), .failed)
    case .anotherProcess:
      return failed(
        holder ?? "another program is sending the changes", because: nil, hint: Self.laterAdvice(options), .failed)
    case nil: break
    }
    guard summary.waiting > 0 || cause != nil else { return nil }
    if summary.waiting > 0, summary.waiting == flush.blocked {
      let group = entries.blockedGroups.first
      let id = group.map { "\($0.by)" } ?? "<id>"
      let edit = state == nil ? "change it with `nova outbox edit \(id) <request>\(options)`, " : ""
      return failed(
        group?.sentence ?? "what still waits needs a change that was refused", because: nil,
        hint:
          "Send that one again with `nova outbox retry \(id)\(options)`, \(edit)or drop it with what needs it: `nova "
          + "outbox discard \(id) --cascade\(options)`.",
        .failed)
    }
    if let problem = state?.problem, cause == nil || cause?.message == problem {
      return failed(
        "not all was sent", because: problem, hint: "Fix this, then run `nova outbox flush` again.", .failed)
    }
    return failed("not all was sent", because: cause?.message, hint: Self.laterAdvice(options), status)
  }

  /// What the commands of an outbox in a database need besides.
  private static func options(isInDatabase: Bool) -> String { isInDatabase ? " --postgres <url>" : "" }

  /// - Parameter isForExisting: for a change whose record may exist: sent again, it would create another one.
  private static func advice(isForExisting: Bool, _ options: String) -> String {
    let list = "See `nova outbox list\(options)`"
    let drop = "with `nova outbox discard <id>\(options)`."
    return isForExisting
      ? "\(list). Correct or delete the record, and drop its change \(drop)"
      : "\(list); then send again with `nova outbox retry <id>\(options)`, or drop \(drop)"
  }

  private static func laterAdvice(_ options: String) -> String { "Run `nova outbox flush\(options)` again later." }
}
