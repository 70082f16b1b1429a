import NovaCore

/// The result of a request to the server.
struct Fetched: Sendable {
  /// The response for the caller that sent the request.
  var answer: CacheAnswer
  /// The response for other callers; nil if it is only for this one.
  var shared: StoredResponse?
  /// Whether the server failed, which is then the answer for all waiting callers.
  var isFailure = false
  /// When the request was sent, see `CacheStore.isCurrent`.
  var mark = 0
}

/// Gets responses from the server: new ones, or confirmations of stored ones. Keeps the store up to date.
///
/// Concurrent calls for the same resource share a request (`fetch`). One request (`exchange`) asks whether the stored
/// response is current, if there is one. Then the stored response is confirmed, replaced by the new one, or returned in
/// place of a failure.
struct CacheFetch: Sendable {
  let flights = SingleFlight<CacheKey, Fetched>(owner: .waiters)
  let answers: StoredAnswers
  let store: CacheStore
  let clock: any CallClock

  init(_ answers: StoredAnswers) { (self.answers, store, clock) = (answers, answers.store, answers.clock) }

  /// Gets a response from the server: a new one, or the confirmation of a stored one. Concurrent calls for the same
  /// resource share a request.
  func fetch(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?
  ) async throws -> CacheAnswer {
    guard call.isShareable else { return try await exchange(call, reason, instead: stored).answer }
    var call = call
    for number in 0..<Self.sharedRequests {
      let (result, isLeader) = try await join(call, reason, instead: stored, isRepeated: number > 0)
      if isLeader { return try result.get().answer }
      switch result {
      case .success(let fetched):
        if let answer = shared(fetched, for: call, reason: reason) { return answer }
        return try await exchange(try call.withTimeLeft(at: clock.now), reason, instead: nil).answer
      case .failure(let error):
        // One of the remaining waiters repeats the request for all of them.
        guard FailureRule.concernsOneCaller(error) else { throw error }
        call = try call.withTimeLeft(at: clock.now)
      }
    }
    return try await exchange(call, reason, instead: stored).answer
  }

  /// How many requests of other calls a call waits for before it sends its own.
  private static let sharedRequests = 2

  /// Sends the request, or waits until the call's own deadline for the same request of another call.
  ///
  /// - Parameter isRepeated: whether a shared request failed. Another call may have repeated it successfully since
  ///   then.
  private func join(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?, isRepeated: Bool
  ) async throws -> SingleFlight<CacheKey, Fetched>.Outcome {
    let work: @Sendable () async throws -> Fetched = { [self] in
      let mark = store.mark
      if isRepeated, let fetched = fresh(call, since: mark) { return fetched }
      var fetched = try await load(call, reason, instead: stored)
      fetched.mark = mark
      return fetched
    }
    guard let deadline = call.deadline else { return try await flights.outcome(call.key, work) }
    let timeUp = TransportError.deadlinePassed(waitingFor: "a request for the same URL")
    return try await Race.run(until: deadline, clock, timeUp: timeUp) { [flights] in
      try await flights.outcome(call.key, work)
    }
  }

  /// The answer for a call that waited for another call's request; nil if it must send its own.
  private func shared(_ fetched: Fetched, for call: CacheCall, reason: CacheStatus.Forward) -> CacheAnswer? {
    if fetched.isFailure { return fetched.answer }
    // If the URL changed in between, the shared request may have been sent before the change, and this call after it.
    guard store.isCurrent(call.key.url, since: fetched.mark),
      let shared = fetched.shared, VaryRule.matches(shared.head.selection, call.request.headers),
      !shared.head.requiresValidation, shared.answers(call.request),
      let answer = answers.answer(from: shared, to: call, status: CacheStatus.forwarded(reason).collapsed)
    else { return nil }
    answers.count(\.hits)
    return answer
  }

  /// A fresh stored response, which needs no request.
  ///
  /// - Parameter taken: what was just found in the shared store.
  func fresh(_ call: CacheCall, since mark: Int, among taken: [StoredResponse] = []) -> Fetched? {
    let found = store.find(call.key, call.request.headers, among: taken)
    guard let stored = answers.reusable(found, for: call),
      case .serve = ReuseRule(call.request.headers, stored.head, at: clock.unixTime).decision,
      let answer = answers.serve(stored, call)
    else { return nil }
    return Fetched(answer: answer, shared: stored, mark: mark)
  }

  /// Sends a request, stores the response, and falls back to the stored one if allowed.
  func exchange(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?
  ) async throws -> Fetched {
    let validators = stored.flatMap { Validators($0.head.headers) }
    var request = call.request
    // A part cannot be requested and validated at the same time.
    let isValidation = validators != nil && request.headers["Range"] == nil
    if let validators, isValidation { request = validators.validating(request) }
    var call = call
    call.mark = store.mark
    let sent = clock.unixTime
    let response: HTTPResponse
    do {
      response = try await call.send(request)
      if let stored { try FileRule.check(response, for: call, instead: stored, clock.unixTime) }
    } catch {
      if let stored, let answer = replacement(for: error, stored, call) { return answer }
      if let stored, FailureRule.isRefusal(error) { await store.discard(stored) }
      throw error
    }
    if let stored, StatusRule.isFailure(response.status),
      let answer = replacement(stored, call, isDisconnected: false, status: response.status)
    {
      return answer
    }
    let received = StoredHead(response, requestTime: sent, responseTime: clock.unixTime)
    if let stored, isValidation, response.status == 304 {
      if let fetched = await confirm(stored, by: received, for: call, reason: reason) { return fetched }
      return try await exchange(call, reason, instead: nil)
    }
    return try await take(response, head: received, for: call, reason: reason, instead: stored)
  }

  // MARK: Confirmed

  /// - Returns: nil if the confirmation is for another response, or the stored one is damaged.
  private func confirm(
    _ stored: StoredResponse, by received: StoredHead, for call: CacheCall, reason: CacheStatus.Forward
  ) async -> Fetched? {
    // Two URLs can have equal entity tags, and a redirect may now lead to the other one.
    guard stored.head.isOfSameURL(as: received), stored.isConfirmed(by: received.headers) else {
      await store.discard(stored)
      return nil
    }
    var confirmed = stored
    confirmed.head = stored.head.confirmed(by: received)
    if let place = store.place(of: confirmed.head, call) {
      (confirmed.key, confirmed.head.selection) = place
      store.update(stored, with: confirmed.head, at: place)
      store.publish(confirmed, of: call)
    } else {
      await store.discard(stored)
      confirmed.isRemoved = true
    }
    guard let answer = answers.answer(from: confirmed, to: call, status: .forwarded(reason, status: 304)) else {
      return nil
    }
    answers.count(\.revalidated)
    return Fetched(answer: answer, shared: confirmed)
  }

  // MARK: New

  private func take(
    _ response: HTTPResponse, head: StoredHead, for call: CacheCall, reason: CacheStatus.Forward,
    instead stored: StoredResponse?
  ) async throws -> Fetched {
    answers.count(\.misses)
    var (response, head) = (response, head)
    var shared: StoredResponse?
    if !call.request.streamsResponse, response.body.bytes == nil {
      response.body = try await response.body.collected(upTo: call.request.limits.maximumResponseBytes)
    }
    // A response that ends early is only for this caller.
    let isWhole = response.body.bytes.map { BodyLength.isPlausible($0.count, head.headers) } ?? true
    let place = isWhole ? store.place(of: head, call) : nil
    if let place {
      head.selection = place.selection
      if let bytes = response.body.bytes {
        shared = StoredResponse(key: place.key, head: head, body: .memory(bytes))
      }
      response.body = store.recorded(response.body, of: head, under: place.key, for: call)
    }
    if let stored, !StatusRule.isFailure(head.status), head.status != 304, head.status != 206,
      stored.key != place?.key
    {
      await store.discard(stored)
    }
    let status = reason == .stale ? head.status : nil
    CacheStatus.forwarded(reason, status: status, isStored: place != nil).add(to: &response.headers)
    let answer = CacheAnswer(response)
    return Fetched(answer: answer, shared: shared, isFailure: StatusRule.isFailure(head.status))
  }

  // MARK: Failed

  private func replacement(for error: any Error, _ stored: StoredResponse, _ call: CacheCall) -> Fetched? {
    if FailureRule.isDisconnection(error) { return replacement(stored, call, isDisconnected: true, status: nil) }
    if call.content == .file, FailureRule.isUnusable(error) {
      return replacement(stored, call, isDisconnected: false, status: FailureRule.status(error))
    }
    guard let status = FailureRule.status(error), StatusRule.isFailure(status) else { return nil }
    return replacement(stored, call, isDisconnected: false, status: status)
  }

  private func replacement(
    _ stored: StoredResponse, _ call: CacheCall, isDisconnected: Bool, status: Int?
  ) -> Fetched? {
    let rule = ReuseRule(call.request.headers, stored.head, at: clock.unixTime)
    let failure: ReuseRule.Failure = isDisconnected ? .disconnection : call.content == .file ? .ofFile : .status
    guard rule.replaces(failure) else { return nil }
    var reusable = stored
    reusable.head.headers = HeaderRules.reusable(stored.head.headers)
    guard var answer = answers.answer(from: reusable, to: call, status: .stale(status: status)) else { return nil }
    answer.replacesFailure = true
    answers.count(\.hits)
    return Fetched(answer: answer, shared: reusable)
  }
}
