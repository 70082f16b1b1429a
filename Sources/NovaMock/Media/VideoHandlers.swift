import NovaCore
import NovaMedia

extension MockHandlers {
  mutating func addVideos() {
    on(MediaRPC.createVideo, actingAs: \.creatorId) { request, state throws(MockFailure) in
      var video = Video(
        creatorId: request.creatorId, title: request.title, description: request.description, status: "draft",
        visibility: request.visibility.isEmpty ? "public" : request.visibility, createdAt: state.now)
      guard !request.uploadId.isEmpty else { return CreateVideoResponse(video: state.media.add(video)) }
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      video.status = "published"
      video.durationSeconds = upload.plausibleDuration
      video.cdnUrl = upload.url
      return CreateVideoResponse(video: state.media.add(video, of: upload.id))
    }
    on(MediaRPC.getVideo) { request, state throws(MockFailure) in
      let video = state.media.video(request.videoId)
      return GetVideoResponse(video: video, found: video != nil)
    }
    on(MediaRPC.getUserVideos) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: 0, MediaRPC.getUserVideos.descriptor)
      return GetUserVideosResponse(
        videos: paging.newestFirst(state.media.videos.filter { $0.creatorId == request.userId }).page)
    }
  }

  mutating func addReels() {
    on(MediaRPC.createReel, actingAs: \.creatorId) { request, state throws(MockFailure) in
      guard request.durationSeconds >= 0 else {
        throw MockFailure(.invalidArgument, "duration_seconds must not be negative")
      }
      let upload = try state.finishedUpload(request.uploadId, of: request.creatorId)
      let reel = state.media.add(StoredReel(request, upload, now: state.now))
      return CreateReelResponse(reel: reel.at(state.now))
    }
    on(MediaRPC.getReel) { request, state throws(MockFailure) in
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
  /// An estimated duration in seconds, at 2 Mbit/s: the mock does not read files.
  var plausibleDuration: Int { Int(clamping: max(1, fileSize / 250_000)) }
}
