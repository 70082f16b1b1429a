import NovaCore

extension MediaService {
  /// Waits until the server has processed a video.
  ///
  /// ```swift
  /// let video = try await nova.media.with { $0.timeout = .seconds(600) }.waitUntilProcessed(video: created.id)
  /// print(video.cdnUrl)
  /// ```
  /// Reads the video again and again: after about half a second, and then ever more rarely, up to every 10 s. The
  /// options' `timeout` and `deadline` limit the whole wait; without them, it ends after 300 s. Up to five failures in a row
  /// that can pass, such as a lost connection, do not end it.
  ///
  /// - Parameter id: the video's id.
  /// - Returns: the video, once its status is none of those that mean that it is still processed: `pending`, `queued`,
  ///   `uploading`, `uploaded`, `processing`, `transcoding`, or an empty one without a URL.
  /// - Throws: ``APIError``: `failedPrecondition` if processing failed, `notFound` if there is no such video, or it was
  ///   deleted, `timeout` if the time is up.
  public func waitUntilProcessed(video id: String) async throws -> Video {
    let rpc = MediaRPC.getVideo.descriptor
    return try await client.wait(until: "video \(id.quoted) was processed", by: rpc, options) { options in
      guard let video = try await with({ $0 = options }).getVideo(videoId: id) else {
        throw APIError.missing("video", id: id, rpc)
      }
      switch ProcessingState(status: video.status, hasResult: !video.cdnUrl.isEmpty) {
      case .inProgress: return nil
      case .finished: return video
      case .failed(let status): throw APIError.processingFailed("video", id: id, status: status, rpc)
      }
    }
  }

  /// Waits until the server has processed a reel. Like ``waitUntilProcessed(video:)``.
  ///
  /// - Parameter id: the reel's id.
  /// - Returns: the reel, once it is published.
  /// - Throws: ``APIError``: `failedPrecondition` if processing failed, with the error of the failed job as its `server`,
  ///   `notFound` if there is no such reel, or it was deleted, `timeout` if the time is up.
  public func waitUntilProcessed(reel id: String) async throws -> Reel {
    let rpc = MediaRPC.getReel.descriptor
    return try await client.wait(until: "reel \(id.quoted) was processed", by: rpc, options) { options in
      guard let reel = try await with({ $0 = options }).getReel(reelId: id) else {
        throw APIError.missing("reel", id: id, rpc)
      }
      let state = ProcessingState(status: reel.status, hasResult: reel.publishedAt > 0)
      switch reel.failedAt > 0 && reel.publishedAt == 0 ? .failed("failed") : state {
      case .inProgress: return nil
      case .finished: return reel
      case .failed(let status):
        let problem = reel.transcodeJobs.compactMap(\.error).first { !$0.code.isEmpty || !$0.message.isEmpty }
        throw APIError.processingFailed("reel", id: id, status: status, rpc, problem: problem)
      }
    }
  }
}

/// What a status says about processing. Servers may have others: those mean that it is over.
enum ProcessingState: Equatable {
  case inProgress
  case finished
  /// With the status, which is one of those that are known.
  case failed(String)

  private static let inProgressStatuses: Set = [
    "pending", "created", "queued", "uploading", "uploaded", "processing", "transcoding",
  ]

  /// - Parameter hasResult: whether what processing makes is there, for servers that set no status.
  init(status: String, hasResult: Bool) {
    let words = StatusWords(status)
    if words.isFailure {
      self = .failed(words.text)
    } else if words.text.isEmpty {
      self = hasResult ? .finished : .inProgress
    } else {
      self = Self.inProgressStatuses.contains(words.text) ? .inProgress : .finished
    }
  }
}

extension APIError {
  fileprivate static func missing(_ kind: String, id: String, _ rpc: RPCDescriptor) -> APIError {
    APIError(.notFound, "not found: \(kind) \(id.quoted); it was deleted, or its id is wrong", rpc: rpc.id)
  }

  fileprivate static func processingFailed(
    _ kind: String, id: String, status: String, _ rpc: RPCDescriptor, problem: ErrorStatus? = nil
  ) -> APIError {
    APIError(
      .failedPrecondition, "processing failed: \(kind) \(id.quoted) has the status \(status); upload the file again",
      rpc: rpc.id,
      server: problem.map { ServerError(code: $0.code, message: $0.message, metadata: $0.metadata) })
  }
}
