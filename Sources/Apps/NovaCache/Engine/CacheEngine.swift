import NovaCore

/// Answers requests from the store or from the server, and keeps the store up to date.
///
/// A GET goes through these steps: find a stored response (``CacheStore``); let ``ReuseRule`` decide whether to serve
/// it, to serve it and revalidate in the background, or to validate it; otherwise fetch a new one. Concurrent calls for
/// the same resource share one request to the server. The response is stored if ``StorageRule`` allows it, for its
/// caller or for all. If the server fails, a stale response may replace the failure. A response is never stored if its
/// URL was changed or removed after the request was sent: each call takes a mark before its request, and
/// `CacheStore.isCurrent` compares it.
///
/// With a shared store, what is not in this process is looked up there first; one machine sends the request, and the
/// others wait (`CacheFetch.load`).
final class CacheEngine: Sendable {
  let store: CacheStore
  let server: CacheFetch
  let background = BackgroundWork()
  private let answers: StoredAnswers
  private let clock: any CallClock
  private let random: @Sendable () -> Double

  init(
    _ options: HTTPCache.Options, shared: (any SharedResponses)? = nil, clock: any CallClock,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    (self.clock, self.random) = (clock, random)
    store = CacheStore(options, shared: shared, clock: clock)
    answers = StoredAnswers(store, clock: clock)
    server = CacheFetch(answers)
  }

  var counts: CacheCounts { answers.counts }

  /// Answers a request.
  ///
  /// - Throws: what sending throws.
  func answer(_ call: CacheCall) async throws -> CacheAnswer {
    switch call.request.method {
    case .get where call.request.body.isEmpty: return try await get(call)
    case .head where call.request.body.isEmpty: return try await head(call)
    default: return try await other(call)
    }
  }

  // MARK: GET

  private func get(_ call: CacheCall) async throws -> CacheAnswer {
    let control = CacheControl(call.request.headers)
    if control.contains("no-store") { return try await forward(call, .request) }
    var (call, found) = (call, store.find(call.key, call.request.headers))
    if store.shared != nil, !isServable(found, call) {
      let taken = await store.takeShared(call.key)
      call.epoch = taken?.epoch
      found = store.find(call.key, call.request.headers, among: taken?.responses ?? [])
    }
    guard let stored = answers.reusable(found, for: call) else {
      if control.contains("only-if-cached") { return unavailable }
      return try await server.fetch(call, found.hasOthers ? .variantMissing : .missing, instead: nil)
    }
    switch ReuseRule(call.request.headers, stored.head, at: clock.unixTime).decision {
    case .serve:
      if let answer = answers.serve(stored, call) {
        refreshEarly(call, stored)
        return answer
      }
    case .serveAndRevalidate:
      guard let answer = answers.serve(stored, call) else { break }
      revalidateInBackground(call, stored)
      return answer
    case .validate:
      if control.contains("only-if-cached") { return unavailable }
      let isDemanded = Freshness(stored.head, at: clock.unixTime).isFresh
      return try await server.fetch(call, isDemanded ? .request : .stale, instead: stored)
    }
    // The file was damaged, or only the server can answer the requested part.
    return try await server.fetch(call, .missing, instead: nil)
  }

  /// Whether what is in this process answers a call without a request that the caller waits for.
  private func isServable(_ found: CacheStore.Found, _ call: CacheCall) -> Bool {
    guard let stored = answers.reusable(found, for: call) else { return false }
    return ReuseRule(call.request.headers, stored.head, at: clock.unixTime).decision != .validate
  }

  private var unavailable: CacheAnswer {
    var response = HTTPResponse(status: 504)
    CacheStatus.unavailable.add(to: &response.headers)
    return CacheAnswer(response: response, source: .memory, age: 0)
  }

  private func revalidateInBackground(_ call: CacheCall, _ stored: StoredResponse) {
    let call = call.withoutCaller
    background.start(call.key) { [store, server, answers, clock] in
      var (call, stored) = (call, stored)
      if store.shared != nil {
        let taken = await store.takeShared(call.key)
        call.epoch = taken?.epoch
        let found = store.find(call.key, call.request.headers, among: taken?.responses ?? [])
        if let other = answers.reusable(found, for: call) {
          // Another machine may have revalidated it.
          if Freshness(other.head, at: clock.unixTime).isFresh { return }
          stored = other
        }
      }
      _ = try? await server.fetch(call, .stale, instead: stored)
    }
  }

  /// Before a response expires that many machines share, one of them refreshes it.
  private func refreshEarly(_ call: CacheCall, _ stored: StoredResponse) {
    guard let shared = store.shared, call.isShareable, stored.body.count <= store.largestBodyInMemory,
      shared.isDue(stored.head, random: random())
    else { return }
    let call = call.withoutCaller
    background.start(call.key) { [store, server, answers] in
      var call = call
      guard let taken = await store.takeShared(call.key) else { return }
      call.epoch = taken.epoch
      let found = store.find(call.key, call.request.headers, among: taken.responses)
      if let other = answers.reusable(found, for: call), other.head.responseTime > stored.head.responseTime { return }
      await server.refresh(call, stored)
    }
  }

  // MARK: HEAD

  /// Answers HEAD from a stored GET response, and updates that response from a HEAD response (RFC 9111, 4.3.5).
  private func head(_ call: CacheCall) async throws -> CacheAnswer {
    let control = CacheControl(call.request.headers)
    guard !control.contains("no-store"), let stored = store.find(call.key, call.request.headers).response else {
      if control.contains("only-if-cached") { return unavailable }
      return try await forward(call, .missing)
    }
    let rule = ReuseRule(call.request.headers, stored.head, at: clock.unixTime)
    if rule.decision != .validate, let answer = answers.serve(stored, call) { return answer }
    if control.contains("only-if-cached") { return unavailable }
    let sent = clock.unixTime
    var answer = try await forward(call, .stale)
    guard answer.response.status == 200 else { return answer }
    let later = StoredHead(answer.response, requestTime: sent, responseTime: clock.unixTime)
    guard store.isCurrent(call.key.url, since: stored.mark) else {
      answer.response.body = .empty
      return answer
    }
    let confirmed = stored.head.confirmed(by: later)
    if stored.describes(later), let place = store.place(of: confirmed, call) {
      store.update(stored, with: confirmed, at: place)
    } else {
      await store.discard(stored)
    }
    answer.response.body = .empty
    return answer
  }

  // MARK: Other methods

  /// Methods that change something invalidate the stored responses of their URLs (RFC 9111, 4.4).
  private func other(_ call: CacheCall) async throws -> CacheAnswer {
    let sent = clock.unixTime
    var answer = try await forward(call, .method)
    let (request, response) = (call.request, answer.response)
    guard !LocationRule.isSafe(request.method), (200..<400).contains(response.status) else { return answer }
    await store.removeEverywhere(request.url)
    let content = LocationRule.url("Content-Location", in: response.headers, of: request.url)
    for url in [LocationRule.url("Location", in: response.headers, of: request.url), content] {
      if let url { await store.removeEverywhere(url) }
    }
    // RFC 9110, 9.3.3: the response to a POST can also answer a later GET, if it says so.
    guard request.method == .post, response.status == 200, content == request.url else { return answer }
    let control = CacheControl(response.headers)
    guard control.contains("max-age") || response.headers["Expires"] != nil else { return answer }
    var call = call
    call.mark = store.mark
    var head = StoredHead(response, requestTime: sent, responseTime: clock.unixTime)
    if let place = store.place(of: head, call) {
      head.selection = place.selection
      answer.response.body = store.recorded(response.body, of: head, under: place.key, for: call)
    }
    return answer
  }

  /// Sends a request without storing the response.
  private func forward(_ call: CacheCall, _ reason: CacheStatus.Forward) async throws -> CacheAnswer {
    if LocationRule.isSafe(call.request.method) { answers.count(\.misses) }
    var response = try await call.send(call.request)
    CacheStatus.forwarded(reason).add(to: &response.headers)
    return CacheAnswer(response)
  }
}
