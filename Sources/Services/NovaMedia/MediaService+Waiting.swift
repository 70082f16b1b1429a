import NovaCore

extension MediaService {
  /// Waits until the server has processed a video.
  ///
  /// ```swift
  /// let video = try await nova.media.with { $0.timeout = .seconds(600) }.waitUntilProcessed(video: created.id)
  /// print(video.cdnUrl)
  /// ```
  /// Reads the video repeatedly: first after about half a second, then at growing intervals of up to 10 s. The options'
  /// `timeout` and `deadline` limit the whole wait; without them, it ends after 300 s. Up to five consecutive transient
  /// failures, such as a lost connection, do not end it.
  ///
  /// - Parameter id: the video's ID.
  /// - Returns: the video, once its status no longer means that it is being processed: `pending`, `queued`,
  ///   `uploading`, `uploaded`, `processing`, `transcoding`, or empty without a URL.
  /// - Throws: ``APIError``: `failedPrecondition` if processing failed; `notFound` if the video does not exist or was
  ///   deleted; `timeout`.
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

  /// Waits until the server has processed a reel, like ``waitUntilProcessed(video:)``.
  ///
  /// - Parameter id: the reel's ID.
  /// - Returns: the reel, once it is published.
  /// - Throws: ``APIError``: `failedPrecondition` if processing failed, with the error of the failed job as its
  ///   `server`; `notFound` if the reel does not exist or was deleted; `timeout`.
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

/// What a status means for processing. Any other status means that processing has ended.
enum ProcessingState: Equatable {
  case inProgress
  case finished
  /// Processing failed, with this known status.
  case failed(String)

  private static let inProgressStatuses: Set = [
    "pending", "created", "queued", "uploading", "uploaded", "processing", "transcoding",
  ]

  /// - Parameter hasResult: whether the result of processing exists, for servers that set no status.
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
    APIError(
      .notFound, "not found", reason: "\(kind) \(id.quoted)", advice: "it was deleted, or its id is wrong", rpc: rpc.id)
  }

  fileprivate static func processingFailed(
    _ kind: String, id: String, status: String, _ rpc: RPCDescriptor, problem: ErrorStatus? = nil
  ) -> APIError {
    APIError(
      .failedPrecondition, "processing failed", reason: "\(kind) \(id.quoted) has the status \(status)",
      advice: "upload the file again",
      rpc: rpc.id,
      server: problem.map { ServerError(code: $0.code, message: $0.message, metadata: $0.metadata) })
  }
}
