import NovaCore
import NovaLibc
import NovaSupport

/// The directory of the upload journals.
struct UploadDirectory: Sendable {
  /// How long an upload without progress is kept. Servers don't keep its bytes longer, either.
  static let lifetime = Duration.seconds(7 * 86_400)

  let path: String

  /// The directory of a configuration; nil if unknown.
  init?(_ configuration: APIConfiguration) {
    guard let state = configuration.stateDirectory ?? UserDirectories.state.map({ "\($0)/nova" }) else { return nil }
    path = "\(state)/uploads"
  }

  func path(of id: String) -> String { "\(path)/\(Self.fileName(of: id))" }

  static func fileName(of id: String) -> String { "\(id).upload" }

  /// The journals, by their IDs.
  private var ids: [String] {
    SystemIO.fileNames(in: path).compactMap { name in
      guard name.hasSuffix(".upload") else { return nil }
      let id = String(name.dropLast(".upload".count))
      return UploadJournal.isID(id) ? id : nil
    }
  }

  /// Why the directory cannot be read; nil if it can, or does not exist.
  var problem: String? {
    guard access(path, R_OK | X_OK) == 0 else { return errno == ENOENT ? nil : SystemError.last.reason }
    do throws(SystemError) {
      try PrivateDirectory.require(path)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Creates the directory and its parents.
  func create() throws(SystemError) { try PrivateDirectory.create(path, isDurable: true) }

  /// Creates a journal.
  ///
  /// - Throws: ``APIError`` `failedPrecondition`.
  func newJournal(_ beginning: UploadRecord.Beginning) throws -> UploadJournal {
    do {
      try create()
      return try UploadJournal.create(beginning, in: self)
    } catch {
      throw Self.refusal("cannot write to \(path.quoted): \(error.reason)")
    }
  }

  /// Opens the journal of an upload.
  ///
  /// - Throws: ``APIError``: `notFound` if it does not exist; `conflict` if another upload uses it.
  func open(_ id: String) async throws -> (UploadJournal, UploadRecord) {
    // Listing the uploads locks each of them briefly.
    if case .failure(.inUse) = opened(id) { try await Task.sleep(for: .milliseconds(50)) }
    return try opened(id).mapError { $0.error(id, path(of: id)) }.get()
  }

  private func opened(_ id: String) -> Result<(UploadJournal, UploadRecord), UploadJournal.Refusal> {
    guard UploadJournal.isID(id) else { return .failure(.missing) }
    return Result { () throws(UploadJournal.Refusal) in try UploadJournal.open(path(of: id)) }
  }

  /// The uploads that are not running, and those that were dropped. Removes expired ones.
  ///
  /// - Parameter time: the current time, in Unix seconds.
  func pendingUploads(at time: Double) async -> PendingUploads {
    var pending = PendingUploads(uploads: [], dropped: [])
    for id in ids { await add(id, to: &pending, at: time) }
    if !pending.running.isEmpty {
      // Another process that lists the uploads locks each of them briefly.
      try? await Task.sleep(for: .milliseconds(50))
      let ids = pending.running
      pending.running = []
      for id in ids { await add(id, to: &pending, at: time) }
    }
    removeLeftovers(at: time)
    pending.uploads.sort { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    return pending
  }

  private func add(_ id: String, to pending: inout PendingUploads, at time: Double) async {
    let path = path(of: id)
    do throws(UploadJournal.Refusal) {
      let (journal, record) = try UploadJournal.open(path)
      // If the clock was set back, nothing expires.
      guard time - record.changedAt > Self.lifetime / .seconds(1) else { return pending.uploads.append(record.pending) }
      await journal.remove()
      pending.dropped.append(
        DroppedUpload(
          id: id, upload: record.pending, reason: "expired: no progress for more than 7 days", journalPath: nil))
    } catch {
      switch error {
      case .missing: return
      case .inUse: pending.running.append(id)
      case .unusable(let problem):
        pending.dropped.append(
          DroppedUpload(id: id, upload: nil, reason: "the record \(problem): \(path.quoted)", journalPath: path))
      }
    }
  }

  /// Removes files of processes that ended while writing the first line of a journal. Nothing was sent for those
  /// uploads.
  private func removeLeftovers(at time: Double) {
    for name in SystemIO.fileNames(in: path) where name.contains(".upload.tmp-") {
      guard let file = FileIdentity(path: "\(path)/\(name)") else { continue }
      if time - Double(file.modified) / 1e9 > 86_400 { unlink("\(path)/\(name)") }
    }
  }

  /// Removes a journal, even one that cannot be read.
  ///
  /// - Throws: ``APIError`` `conflict` if the upload is running.
  func discard(_ id: String) async throws {
    do {
      let (journal, _) = try await open(id)
      await journal.remove()
    } catch APIError.notFound {
      return
    } catch APIError.failedPrecondition {
      guard unlink(path(of: id)) != 0, errno != ENOENT else { return }
      throw APIError(
        .failedPrecondition, "cannot remove \(path(of: id).quoted)", reason: SystemError.last.reason,
        rpc: MediaService.uploadBytes.descriptor.id)
    }
  }

  // MARK: Failures

  /// The error for an upload that cannot be recorded.
  static func refusal(_ problem: String) -> APIError {
    APIError(
      .failedPrecondition,
      "the upload cannot be recorded for a restart", reason: problem,
      advice: "set state_directory (NOVA_STATE_DIRECTORY) to a directory that can be written",
      rpc: MediaRPC.startUpload.descriptor.id)
  }

  static let unknown = refusal(UserDirectories.problem("XDG_STATE_HOME"))
}

extension UploadJournal.Refusal {
  fileprivate func error(_ id: String, _ path: String) -> APIError {
    let rpc = MediaRPC.startUpload.descriptor.id
    return switch self {
    case .missing: APIError(.notFound, "not found", reason: "interrupted upload \(id.quoted)", rpc: rpc)
    case .inUse:
      APIError(.conflict, "the upload \(id.quoted) is running, in this process or another one", rpc: rpc)
    case .unusable(let problem):
      APIError(.failedPrecondition, "the record of upload \(id.quoted) \(problem)", reason: path.quoted, rpc: rpc)
    }
  }
}
