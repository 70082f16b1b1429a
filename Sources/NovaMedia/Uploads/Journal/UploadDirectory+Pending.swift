import NovaCore
import NovaLibc
import NovaSupport

extension UploadDirectory {
  /// How long an upload without progress is kept. Servers don't keep its bytes longer, either.
  static let lifetime = Duration.seconds(7 * 86_400)

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
}
