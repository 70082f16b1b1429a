import NovaCore

/// Sends requests when they are due, whether or not earlier ones have ended: an open loop.
///
/// A request's latency counts from the time when it was due. So a gateway that stops for a second delays all requests
/// that were due in this second, as it would delay independent users, and not just the one that it was working on.
struct LoadGenerator: Sendable {
  let schedule: LoadSchedule
  /// The maximum number of requests in flight. Further ones wait, and their latency includes that.
  let concurrency: Int
  let clock: any CallClock
  /// Sends the request with a number, and returns how it ended. Returns soon after its task was cancelled.
  let send: @Sendable (_ index: Int) async -> LoadOutcome

  /// How long the generator may send after the last request was due, if it is late itself.
  private static let grace = Duration.seconds(1)

  /// A request that is sent.
  private struct Dispatch: Sendable {
    let index: Int
    let due: ContinuousClock.Instant
    /// When it was its turn.
    let ready: ContinuousClock.Instant
    /// How late the generator was until then.
    let late: Duration
    /// How long it has waited because as many requests as allowed were in flight.
    let wait: Duration
  }

  /// Sends all requests. If the calling task is cancelled, stops, and returns what was measured until then.
  ///
  /// - Parameter progress: called for each request.
  func run(progress: @Sendable (LoadProgress) -> Void = { _ in }) async -> LoadMeasurement {
    let measurement = Locked(LoadMeasurement())
    let start = clock.now
    let (next, limited, sendingEnd) = await withTaskGroup(of: ContinuousClock.Instant.self) { group in
      var (index, inFlight) = (0, 0)
      // When the last wait for the end of another request was over.
      var freed = start
      var isLimited = false
      while index < schedule.total {
        let due = start.advanced(by: schedule.start(of: index))
        if clock.now < due { try? await clock.sleep(until: due, tolerance: .zero) }
        let ready = clock.now
        let late = max(.zero, max(due, freed).duration(to: ready))
        var wait = max(.zero, due.duration(to: freed))
        if inFlight >= concurrency {
          // Those that have ended already leave the group without a wait.
          if let end = await group.next(), end > ready { freed = clock.now }
          inFlight -= 1
          wait += max(.zero, ready.duration(to: freed))
        }
        isLimited = wait > .zero
        if Task.isCancelled || isOver(at: start.duration(to: clock.now), isLimited: isLimited) { break }
        let dispatch = Dispatch(index: index, due: due, ready: clock.now, late: late, wait: wait)
        group.addTask { await self.send(dispatch, recordingIn: measurement) }
        inFlight += 1
        index += 1
        progress(measurement.withLock { LoadProgress($0, sent: index, total: schedule.total) })
      }
      let end = start.duration(to: clock.now)
      // Cancellation reaches the requests in flight, which end then.
      for await _ in group {}
      return (index, isLimited, end)
    }
    var result = measurement.withLock { $0 }
    finish(&result, next: next, isLimited: limited, sendingEnd: sendingEnd, now: start.duration(to: clock.now))
    return result
  }

  /// Whether nothing more is sent: the time is over, and the rest would not be sent in time.
  private func isOver(at time: Duration, isLimited: Bool) -> Bool {
    time > schedule.end + (isLimited ? .zero : Self.grace)
  }

  private func send(
    _ dispatch: Dispatch, recordingIn measurement: Locked<LoadMeasurement>
  ) async -> ContinuousClock.Instant {
    let begin = clock.now
    let outcome = await send(dispatch.index)
    let end = clock.now
    let request =
      dispatch.index < schedule.warmUpCount
      ? nil
      : LoadMeasurement.Request(
        slice: schedule.slice(of: dispatch.index), outcome: outcome, latency: dispatch.due.duration(to: end),
        service: begin.duration(to: end), lag: dispatch.late + dispatch.ready.duration(to: begin), wait: dispatch.wait)
    measurement.withLock { measurement in
      if let request { measurement.add(request) } else { measurement.warmUp += 1 }
    }
    return end
  }

  /// Adds the measured requests that were due and not sent.
  ///
  /// - Parameters:
  ///   - next: the first request that was not sent.
  ///   - sendingEnd: when sending ended, from the start of the load.
  private func finish(
    _ measurement: inout LoadMeasurement, next: Int, isLimited: Bool, sendingEnd: Duration, now: Duration
  ) {
    let begin = schedule.start(of: schedule.warmUpCount)
    measurement.duration = max(.zero, min(sendingEnd, schedule.end) - begin)
    // Those that were sent late still belong to the time in which they were due.
    if next == schedule.total { measurement.duration = schedule.end - begin }
    measurement.isGeneratorTooSlow = next < schedule.total && sendingEnd > schedule.end && !isLimited
    for index in max(next, schedule.warmUpCount)..<max(next, schedule.total) {
      guard schedule.start(of: index) < begin + measurement.duration else { break }
      measurement.addUnsent(waiting: now - schedule.start(of: index), in: schedule.slice(of: index))
    }
  }
}

/// The progress of a load.
struct LoadProgress: Sendable {
  /// The number of requests that were sent, including those of the warm-up.
  let sent: Int
  /// The number of requests to send.
  let total: Int
  /// The number of measured requests that failed.
  let failed: Int

  init(_ measurement: LoadMeasurement, sent: Int, total: Int) {
    (self.sent, self.total, failed) = (sent, total, measurement.failed)
  }
}
