import NovaCore
import NovaCrypto
import NovaMedia

/// Loads images through a cache, with the streaming GET of a client, for the caller of some options.
final class MediaLoader: Sendable {
  let client: APIClient
  let cache: HTTPCache
  let options: CallOptions
  let maximumBytes: Int

  private static let rpc = MediaService.downloadBytes.descriptor

  init(client: APIClient, cache: HTTPCache, options: CallOptions, maximumBytes: Int) {
    self.client = client
    self.cache = cache
    self.options = options
    self.maximumBytes = maximumBytes
  }

  /// Where an image is; nil if nothing can be loaded from there.
  func place(_ url: String) -> MediaPlace? {
    try? MediaPlace(url, gateway: client.configuration.baseURL(for: Self.rpc.service))
  }

  /// Whose calls these are now.
  func identity() async throws -> Identity { try await client.identity(for: options) }

  /// Loads an image.
  ///
  /// - Parameters:
  ///   - name: what identifies the image, if the query of its URL does not.
  ///   - caller: whose load it is if it was ordered earlier; nil for that of now.
  /// - Throws: `APIError`.
  func load(
    _ url: String, named name: String? = nil, for caller: Task<Identity, any Error>? = nil
  ) async throws -> CachedMedia {
    do {
      guard let place = place(url) else { return try await loadUncached(url) }
      // A storage gets no token, and its responses are the same for everybody who has the URL. With a name, that is only
      // the caller.
      let key = CacheKey(url: place.url, named: name, identity: nil)
      guard place.isOnGateway || key.isNamed else { return try await load(url, at: place, as: key) }
      let identity: Identity
      if let caller {
        identity = try await caller.value
      } else {
        do { identity = try await self.identity() } catch { return try await loadUncached(url) }
      }
      return try await load(url, at: place, as: CacheKey(url: key.url, identity: identity))
    } catch is CancellationError {
      throw APIError(.cancelled, "the load was cancelled", rpc: Self.rpc.id)
    } catch let error as HTTPBodyError {
      throw APIError(.invalidResponse, "cannot load the file: \(error)", rpc: Self.rpc.id)
    }
  }

  /// For places and callers that cannot be told: the client has the error for it, or the response is for this load only.
  private func loadUncached(_ url: String) async throws -> CachedMedia {
    try image(CacheAnswer(try await send([:], to: url, options)))
  }

  private func load(_ url: String, at place: MediaPlace, as key: CacheKey) async throws -> CachedMedia {
    var request = HTTPRequest(method: .get, url: place.url, headers: place.isOnGateway ? options.headers : [:])
    request.limits.maximumResponseBytes = maximumBytes
    // As the client sends it.
    request.decompressesResponse = false
    var options = options
    // Also the requests in the background, and those that others wait for, are this caller's or none.
    if place.isOnGateway, let identity = key.identity { options.caller = OperationCaller(identity) }
    if options.timeout != nil { options.deadline = client.sharedDeadline(options) }
    options.timeout = nil
    let call = CacheCall(
      request: request, key: key, deadline: options.deadline, content: .file,
      send: { [options] in try await self.send($0.headers, to: url, options) })
    return try image(try await cache.engine.answer(call))
  }

  private func send(_ headers: HTTPHeaders, to url: String, _ options: CallOptions) async throws -> HTTPResponse {
    let response = try await client.get(url, headers: headers, for: Self.rpc, limit: maximumBytes, options: options)
    let body = try await response.value.collect(upTo: maximumBytes)
    let result = response.http(body: .bytes(body))
    // Neither is kept otherwise. A 304 confirms what is there.
    if result.isSuccess {
      try checkExtent(of: result)
      try checkDigest(of: body, response.headers)
    }
    return result
  }

  /// - Throws: `APIError` unless the response is all of the file, as it is stored at the server.
  private func checkExtent(of response: HTTPResponse) throws {
    let count = response.body.inMemory.count
    let problem: String
    let headers = response.headers
    switch BodyExtent(status: response.status, headers: headers, length: headers.contentLength) {
    case .whole(let total) where total ?? count == count: return
    case .whole(let total): problem = "the server sent \(count) of \(total ?? 0) bytes"
    case .part(let bytes, _): problem = BodyExtent.Problem.part(bytes).description
    case .none: problem = BodyExtent.Problem.status(response.status).description
    case .unusable(let reason): problem = reason.description
    }
    throw APIError(.invalidResponse, "cannot load the file: \(problem)", rpc: Self.rpc.id)
  }

  /// - Throws: `APIError` if the server sent another digest, so that the bytes are neither used nor stored.
  private func checkDigest(of bytes: [UInt8], _ headers: HTTPHeaders) throws {
    let expected = ["Repr-Digest", "Content-Digest"].compactMap { DigestField.sha256($0, in: headers) }
    // Without libcrypto, nothing can be compared.
    guard !expected.isEmpty, let digest = try? SHA256.digest(of: bytes) else { return }
    guard expected.allSatisfy({ $0 == digest }) else {
      throw APIError(
        .invalidResponse,
        "cannot load the file: its bytes do not have the digest that the server sent; nothing was kept, load it again",
        rpc: Self.rpc.id)
    }
  }

  private func image(_ answer: CacheAnswer) throws -> CachedMedia {
    guard answer.response.isSuccess else { throw APIError(answer.response) }
    try checkExtent(of: answer.response)
    return CachedMedia(
      bytes: answer.response.body.inMemory, contentType: answer.response.headers["Content-Type"],
      age: .seconds(min(answer.age, Double(CacheControl.longest))), source: answer.source,
      replacesFailure: answer.replacesFailure)
  }
}

/// An image that is to be loaded in the background. Loads of one image for one caller are the same.
struct PrefetchedImage: Sendable, Hashable {
  let url: String
  /// What identifies the image, if the query of its URL does not.
  var name: String?
  let loader: MediaLoader
  /// Whose load it is: that of the moment at which it was ordered. It may have its turn when somebody else has signed in.
  var caller: Task<Identity, any Error>?

  func load() async { _ = try? await loader.load(url, named: name, for: caller) }

  static func == (left: PrefetchedImage, right: PrefetchedImage) -> Bool {
    left.place == right.place && left.loader === right.loader
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(ObjectIdentifier(loader))
  }

  /// The URL, or what stands for it.
  private var place: String {
    guard let name = name.orNilIfEmpty else { return url }
    return loader.place(url).map { CacheKey(url: $0.url, named: name, identity: nil).url.text } ?? url
  }
}
