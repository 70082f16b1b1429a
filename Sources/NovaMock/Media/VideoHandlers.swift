import NovaCore
import NovaMedia

extension MockHandlers {
  mutating func addVideos() {
    on(MediaRPC.createVideo) { request, state throws(MockFailure) in
      try require(request.creatorId, "creator_id")
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      let video = state.media.add(
        Video(
          creatorId: request.creatorId, title: request.title, description: request.description,
          durationSeconds: upload.plausibleDuration, cdnUrl: upload.url, status: "published",
          visibility: request.visibility.isEmpty ? "public" : request.visibility, createdAt: state.now),
        of: upload.id)
      return CreateVideoResponse(video: video)
    }
    on(MediaRPC.getVideo) { request, state throws(MockFailure) in
      try require(request.videoId, "video_id")
      let video = state.media.video(request.videoId)
      return GetVideoResponse(video: video, found: video != nil)
    }
    on(MediaRPC.getUserVideos) { request, state throws(MockFailure) in
      try require(request.userId, "user_id")
      let paging = try Paging(limit: request.limit, offset: 0, MediaRPC.getUserVideos.descriptor)
      return GetUserVideosResponse(
        videos: paging.newestFirst(state.media.videos.filter { $0.creatorId == request.userId }).page)
    }
  }

  mutating func addReels() {
    on(MediaRPC.createReel) { request, state throws(MockFailure) in
      try require(request.creatorId, "creator_id")
      guard request.durationSeconds >= 0 else {
        throw MockFailure(.invalidArgument, "duration_seconds must not be negative")
      }
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      let reel = state.media.add(StoredReel(request, upload, now: state.now))
      return CreateReelResponse(reel: reel.at(state.now))
    }
    on(MediaRPC.getReel) { request, state throws(MockFailure) in
      try require(request.reelId, "reel_id")
      let reel = state.media.reel(request.reelId)?.at(state.now)
      return GetReelResponse(reel: reel, found: reel != nil)
    }
    on(MediaRPC.listReels) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: 0, MediaRPC.listReels.descriptor)
      return ListReelsResponse(reels: paging.newestFirst(state.media.reels).page.map { $0.at(state.now) })
    }
  }
}

extension Upload {
  /// A length in seconds that a file of this size may have, at 2 Mbit/s: the mock does not look into files.
  var plausibleDuration: Int { Int(clamping: max(1, fileSize / 250_000)) }
}
