public import NovaCore

extension EventTracker {
  /// Stops tracking, deletes what waits and the anonymous ID, and keeps to that in later runs of the program. A request
  /// that is being sent is cancelled, but the gateway may have it.
  ///
  /// - Throws: ``TrackingError`` if the choice could not be stored, or the events could not be deleted. Until the
  ///   program ends, nothing is tracked nevertheless.
  public func optOut() async throws {
    let generation = state.withLock { state in
      state.optOut()
      return state.generation
    }
    var problems: [String] = []
    do { try directory.setOptedOut(true) } catch { problems.append("the choice could not be stored: \(error.reason)") }
    await sender.cancel()
    if let problem = await writer.run({ $0.removeAll(generation: generation) }) { problems.append(problem) }
    if !problems.isEmpty { throw TrackingError("cannot opt out completely: \(problems.joined(separator: "; "))") }
  }

  /// Begins to track again, with a new anonymous ID.
  ///
  /// - Throws: ``TrackingError`` if the choice could not be stored.
  public func optIn() async throws {
    do { try directory.setOptedOut(false) } catch {
      throw TrackingError("cannot opt in: the choice could not be stored: \(error.reason)")
    }
    state.withLock { $0.isOptedOut = false }
  }
}

/// Why an ``EventTracker`` could not do what it was told.
public struct TrackingError: NovaError {
  /// What failed, why, and what to do next.
  public let description: String

  init(_ description: String) { self.description = "\(description); make the directory writable, and try again" }
}
