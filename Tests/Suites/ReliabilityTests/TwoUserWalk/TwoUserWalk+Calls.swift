import NovaCache
import NovaCore
import NovaEvents
import NovaMedia
import NovaOffline
import NovaSDK
import NovaTestSupport

/// What a seat can do.
extension TwoUserWalk {
  private static let sharedReads: [WalkOperation.Kind] = [.post, .profile, .followers, .somethings]

  /// Chooses the details of an operation, and returns the work, which takes its time.
  func work(of operation: WalkOperation) -> @Sendable () async throws -> Void {
    let (seat, id) = (operation.seat, operation.id)
    let policies: [CachePolicy] = [.networkFirst(), .cacheFirst(), .networkOnly, .cacheOnly]
    let policy = policies[generator.next(below: policies.count)]
    // Reads with an ID of their own share no request with others.
    let isNamed = !Self.sharedReads.contains(operation.kind) || generator.one(in: 2)
    let nova = seat.nova.with {
      if isNamed { $0.requestID = id }
      $0.cache = policy
    }
    let number = generator.next(below: 3)
    let file = WalkGateway.files[generator.next(below: WalkGateway.files.count)]
    switch operation.kind {
    case .post:
      return {
        let answer = try await nova.content.getPost(GetPostRequest(postId: "post-\(number)"))
        operation.got([answer.post?.content ?? ""])
      }
    case .profile:
      return {
        let answer = try await nova.users.getUserProfile(GetUserProfileRequest(userId: "someone-\(number)"))
        operation.got([answer.profile?.bio ?? ""])
      }
    case .followers:
      return {
        for try await user in nova.graph.followers(of: "someone-\(number)", pageSize: 1) {
          operation.got([String(user.prefix { $0 != "." })])
        }
      }
    case .somethings: return { operation.got(try await nova.capture.list().map(\.userId)) }
    case .write: return write(operation, nova)
    case .flush: return flush(operation, nova)
    case .download: return download(file, in: operation, with: nova)
    case .bytes:
      return {
        let bytes = try await nova.media.bytes(of: file, limit: 1 << 20).collect()
        operation.got(WalkGateway.owners(of: bytes))
      }
    case .image:
      let images = seat.images.with { $0.requestID = id }
      return { operation.got(WalkGateway.owners(of: try await images.image(file).bytes)) }
    case .prefetch:
      let images = seat.images.with { $0.requestID = id }
      // More than are loaded at a time: some wait for their turn.
      return { await images.prefetch(WalkGateway.files).finish() }
    case .upload: return upload(operation, nova)
    case .resume: return resume(operation, nova)
    case .follow:
      return {
        let subscription = nova.events.subscribe(topics: [.me])
        for try await update in subscription {
          if case .event(let event) = update { operation.got([event.subjectId]) }
        }
      }
    case .track:
      return { nova.analytics.track(id.replacing("-", with: "_")) }
    case .crowd: return crowd(about: "post-\(number)", file)
    }
  }

  private func write(_ operation: WalkOperation, _ nova: NovaClient) -> @Sendable () async throws -> Void {
    let delivery: [DeliveryPolicy] = [.automatic, .enqueue, .immediate]
    let nova = nova.with { $0.delivery = delivery[generator.next(below: 3)] }
    let (kind, post) = (generator.next(below: 3), operation.id)
    return {
      guard let user = try await nova.identity.user ?? operation.seat.user else { return }
      switch kind {
      case 0: _ = try await nova.social.createLike(CreateLikeRequest(userId: user, postId: post))
      case 1: _ = try await nova.content.createBookmark(CreateBookmarkRequest(userId: user, postId: post))
      default: _ = try await nova.social.createShare(CreateShareRequest(userId: user, postId: post, shareType: "dm"))
      }
    }
  }

  /// Sends what waits; the answers contain no writes of other users.
  private func flush(_ operation: WalkOperation, _ nova: NovaClient) -> @Sendable () async throws -> Void {
    return {
      let outbox = try nova.offline.outbox
      // Not whom the requests name: that is up to the program.
      operation.got(try await outbox.entries.map { $0.identity.user ?? WalkGateway.nobody })
      await outbox.flush()
    }
  }

  /// All users download to the same places, one after the other, and find what others have left unfinished.
  private func download(
    _ file: String, in operation: WalkOperation, with nova: NovaClient
  ) -> @Sendable () async throws -> Void {
    let name = "file-\(file.replacing("/", with: "-"))"
    let (folder, places) = (clients.folder, places)
    return {
      guard places.withLock({ $0.insert(name).inserted }) else { return }
      defer { places.withLock { _ = $0.remove(name) } }
      try await nova.media.download(url: file, to: "\(folder.path)/\(name)")
      operation.got(WalkGateway.owners(of: try folder.bytes(name)))
    }
  }

  private func upload(_ operation: WalkOperation, _ nova: NovaClient) -> @Sendable () async throws -> Void {
    let (folder, id) = (clients.folder, operation.id)
    return {
      let user = try await nova.identity.user ?? operation.seat.user ?? WalkGateway.nobody
      operation.named(user)
      let path = try folder.write(WalkGateway.bytes(of: user), to: "upload-\(id)")
      let upload = nova.media.upload(.file(path), userId: user, contentType: "application/octet-stream")
      _ = try await upload.value
    }
  }

  /// Continues whatever upload there is: that must fail for those of others.
  private func resume(_ operation: WalkOperation, _ nova: NovaClient) -> @Sendable () async throws -> Void {
    return {
      for pending in try await nova.media.pendingUploads().uploads {
        let part = nova.with { $0.requestID = "\(operation.id)/\(pending.id)" }
        _ = try? await part.media.resumeUpload(pending).value
      }
    }
  }

  /// All users ask for the same at once. Equal requests of one user share an answer, those of others do not.
  private func crowd(about post: String, _ file: String) -> @Sendable () async throws -> Void {
    let (seats, gateway) = (clients.seats, gateway)
    return {
      await withTaskGroup(of: Void.self) { group in
        for seat in seats {
          guard let user = seat.user else { continue }
          group.addTask {
            let answer = try? await seat.nova.content.getPost(GetPostRequest(postId: post)).post?.content
            let bytes = (try? await seat.images.image(file).bytes) ?? []
            let others = WalkGateway.owners(of: bytes).union(answer.map { [$0] } ?? [])
              .subtracting([user, WalkGateway.everyone])
            if !others.isEmpty { gateway.state.withLock { $0.faults.append("\(seat.name) got what is \(others)'s") } }
          }
        }
      }
    }
  }
}
