import NovaCore
import NovaMedia

extension MockHandlers {
  mutating func addVideos() {
    on(MediaRPC.createVideo, actingAs: \.creatorId) { request, state in
      var video = Video(
        creatorId: request.creatorId, title: request.title, description: request.description, status: "draft",
        visibility: request.visibility.isEmpty ? "public" : request.visibility, createdAt: state.now)
      guard !request.uploadId.isEmpty else { return .init(video: state.media.add(video)) }
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      video.status = "published"
      video.durationSeconds = upload.plausibleDuration
      video.cdnUrl = upload.url
      return .init(video: state.media.add(video, of: upload.id))
    }
    on(MediaRPC.getVideo) { request, state in
      let video = state.media.video(request.videoId).flatMap { state.shows($0, to: state.viewer) ? $0 : nil }
      return .init(video: video, found: video != nil)
    }
    on(MediaRPC.getUserVideos) { request, state in
      let paging = try Paging(limit: request.limit, of: MediaRPC.getUserVideos)
      let viewer = state.viewer
      let videos = state.media.videos.filter {
        $0.creatorId.hasSameBytes(as: request.userId) && state.shows($0, to: viewer)
      }
      return .init(videos: paging.newestFirst(videos))
    }
  }

  mutating func addReels() {
    on(MediaRPC.createReel, actingAs: \.creatorId) { request, state in
      guard request.durationSeconds >= 0 else { throw MockFailure.invalid("duration_seconds must not be negative") }
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      let reel = state.media.add(StoredReel(request, upload, now: state.now))
      return .init(reel: reel.at(state.now))
    }
    on(MediaRPC.getReel) { request, state in
      let stored = state.media.reel(request.reelId).flatMap { state.shows($0.reel, to: state.viewer) ? $0 : nil }
      let reel = stored?.at(state.now)
      return .init(reel: reel, found: reel != nil)
    }
    on(MediaRPC.listReels) { request, state in
      let paging = try Paging(limit: request.limit, of: MediaRPC.listReels)
      return .init(reels: state.newestReels(limit: paging.limit))
    }
  }
}

extension MockState {
  /// Returns the newest reels that the caller may see.
  fileprivate func newestReels(limit: Int) -> [Reel] {
    let viewer = viewer
    return media.reels.reversed().lazy.filter { shows($0.reel, to: viewer) }.prefix(limit).map { $0.at(now) }
  }
}

extension Upload {
  /// An estimated duration in seconds, at 2 Mbit/s: the mock does not read files.
  var plausibleDuration: Int { Int(clamping: max(1, fileSize / 250_000)) }
}
