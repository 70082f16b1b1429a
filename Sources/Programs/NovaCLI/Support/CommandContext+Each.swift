import NovaSDK

extension CommandContext {
  /// Does something for each ID, one after the other. With several, a failure of one is reported, and the others follow;
  /// failures that concern all of them, such as a lost connection or an ended session, stop at once.
  ///
  /// - Throws: what `body` throws for the only ID; otherwise ``Failure`` with the exit code of the first failure.
  func forEach(_ ids: [EntityID], _ body: (EntityID) async throws -> Void) async throws {
    guard ids.count != 1 else { return try await body(ids[0]) }
    if ids.isEmpty { return Diagnostics.note(IDArguments.nothingToDo) }
    var failures: [ExitStatus] = []
    for id in ids {
      do { try await body(id) } catch {
        let failure = failure(for: error)
        guard let failure = failure as? Failure, Self.concernsOneRecord(error, failure) else { throw error }
        // Records before it are written before it.
        try output.flush()
        Diagnostics.error(failure.message, hint: failure.hint)
        failures.append(failure.status)
      }
    }
    guard let first = failures.first else { return }
    let isAll = failures.count == ids.count
    throw Failure(
      isAll ? "all \(ids.count) failed" : "\(failures.count) of \(ids.count) failed; the others succeeded", first)
  }

  private static func concernsOneRecord(_ error: any Error, _ failure: Failure) -> Bool {
    if Interruption.happened || failure.isOfOutput { return false }
    guard let error = error as? APIError else { return failure.status == .notFound }
    return [.notFound, .permissionDenied, .invalidArgument, .conflict, .failedPrecondition].contains(error.code)
      && !error.isFromAnotherServer
  }
}
