import NovaCore

extension CacheStore {
  /// What the shared store has for a caller.
  struct Taken: Sendable {
    let responses: [StoredResponse]
    /// With which a response to a request that is sent from now on may be published.
    let epoch: String
  }

  /// Takes what the shared store has for a caller, also into memory, unless something later is there.
  ///
  /// - Returns: nil if the shared store cannot be used.
  func takeShared(_ key: CacheKey) async -> Taken? {
    guard let shared else { return nil }
    shared.watchRemovals { [weak self] in self?.receive($0) }
    let mark = mark
    guard let found = await shared.find(key) else { return nil }
    var responses = found.responses
    for index in responses.indices {
      responses[index].mark = mark
      guard case .memory(let bytes) = responses[index].body else { continue }
      insertShared(responses[index].head, bytes, for: responses[index].key, since: mark)
    }
    return Taken(responses: responses, epoch: found.epoch)
  }

  /// Applies what another process removed.
  private func receive(_ removal: SharedRemoval) {
    switch removal {
    case .begun: resetMemory(isActive: true)
    case .lost: resetMemory(isActive: false)
    case .all: removeAll()
    case .url(let text):
      if let url = HTTPURL(stored: text) { remove(url) } else { removeAll() }
    }
  }

  /// Publishes a response to a request that was sent after its epoch was found.
  func publish(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, of call: CacheCall) {
    guard let shared, let epoch = call.epoch, isCurrent(key.url, since: call.mark) else { return }
    shared.publish(head, body, for: key, since: epoch)
  }

  /// Publishes what a confirmation changed.
  func publish(_ response: StoredResponse, of call: CacheCall) {
    guard shared != nil, call.epoch != nil else { return }
    switch response.body {
    case .memory(let bytes): publish(response.head, bytes, for: response.key, of: call)
    case .disk(let file):
      guard file.bodyCount <= largestBodyInMemory, let bytes = file.readBody() else { return }
      publish(response.head, bytes, for: response.key, of: call)
    }
  }

  /// Removes a response that its server no longer has, here and in the shared store.
  func discard(_ response: StoredResponse) async {
    remove(response)
    await shared?.remove(response.key.url)
  }

  /// Removes a URL for all callers, here and in the shared store.
  func removeEverywhere(_ url: HTTPURL) async {
    remove(url)
    await shared?.remove(url)
  }
}

extension HTTPURL {
  /// The URL of a key from its text, which may have a name instead of a query, see `CacheKey.named`.
  fileprivate init?(stored text: String) {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let url = try? HTTPURL(parsing: parts[0]) else { return nil }
    guard parts.count > 1 else {
      self = url
      return
    }
    guard let name = PercentEncoding.decode(parts[1]) else { return nil }
    self = url.withoutQuery(fragment: name)
  }
}
