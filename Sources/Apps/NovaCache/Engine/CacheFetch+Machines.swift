import NovaCore

extension CacheFetch {
  /// Sends a request, unless another machine is sending it: then waits for what that one stores. After
  /// `SharedResponses.loadTime`, and as soon as the response turns out not to be shared, sends it in any case.
  func load(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?
  ) async throws -> Fetched {
    guard let shared = store.shared, canShare(call, reason, instead: stored) else {
      return try await exchange(call, reason, instead: stored)
    }
    let key = stored?.key ?? call.key
    let end = clock.now.advanced(by: shared.loadTime)
    var (call, wait) = (call, Duration.milliseconds(10))
    while let epoch = call.epoch {
      switch await shared.beginLoad(key, since: epoch) {
      case .alone: return try await exchange(call, reason, instead: stored)
      case .begun(let token):
        // Another machine may have stored it since it was looked up.
        if let found = await taken(for: &call) {
          shared.endLoad(token, of: key, since: epoch, .stored)
          return found
        }
        if call.epoch == epoch { return try await lead(call, reason, instead: stored, holding: (token, key)) }
        shared.endLoad(token, of: key, since: epoch, .abandoned)
      case .stored:
        if let found = await taken(for: &call) { return found }
        // Without a removal since then, it was a response that does not answer this call.
        if call.epoch == epoch { return try await exchange(call, reason, instead: stored) }
      case .running:
        try await clock.sleep(until: clock.now.advanced(by: wait * .random(in: 0.5..<1.5)), tolerance: nil)
        wait = min(wait * 2, .milliseconds(100))
      }
      if clock.now >= end { break }
    }
    return try await exchange(call, reason, instead: stored)
  }

  /// Asks the server early whether a fresh response is current, unless another machine does.
  func refresh(_ call: CacheCall, _ stored: StoredResponse) async {
    guard let shared = store.shared, let epoch = call.epoch,
      case .begun(let token) = await shared.beginLoad(stored.key, since: epoch)
    else { return }
    _ = try? await lead(call, .stale, instead: stored, holding: (token, stored.key))
  }

  /// Whether the response that another machine stores is expected to answer a call.
  private func canShare(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?
  ) -> Bool {
    guard call.epoch != nil, [.missing, .variantMissing, .stale].contains(reason) else { return false }
    guard stored?.head.requiresValidation != true, call.request.headers["Pragma"] == nil else { return false }
    let control = CacheControl(call.request.headers)
    return !["no-store", "no-cache", "max-age", "min-fresh"].contains { control.contains($0) }
  }

  /// A fresh response that is now in the shared store.
  private func taken(for call: inout CacheCall) async -> Fetched? {
    let mark = store.mark
    let taken = await store.takeShared(call.key)
    call.epoch = taken?.epoch
    return taken.flatMap { fresh(call, since: mark, among: $0.responses) }
  }

  private func lead(
    _ call: CacheCall, _ reason: CacheStatus.Forward, instead stored: StoredResponse?,
    holding load: (token: String, key: CacheKey)
  ) async throws -> Fetched {
    let end = { [epoch = call.epoch ?? ""] result in
      store.shared?.endLoad(load.token, of: load.key, since: epoch, result)
    }
    do {
      let fetched = try await exchange(call, reason, instead: stored)
      end(result(of: fetched))
      return fetched
    } catch {
      end(FailureRule.concernsOneCaller(error) ? .abandoned : .failed)
      throw error
    }
  }

  private func result(of fetched: Fetched) -> SharedLoadResult {
    if fetched.isFailure || fetched.answer.replacesFailure { return .failed }
    guard let shared = fetched.shared, !shared.isRemoved, !shared.head.requiresValidation,
      Freshness(shared.head, at: clock.unixTime).isFresh
    else { return .unshared }
    return .stored
  }
}
