import NovaCore
import NovaMedia
import NovaUsers

/// Uploads, videos, and reels, and their bytes. They follow the post or the profile that shows them.
extension MockState {
  /// Whether a viewer may see an upload: its owner may, and anyone who may see where the owner has published it.
  func shows(_ upload: Upload, to viewer: Viewer) -> Bool {
    let owner = upload.userId
    if shows(.owner, of: owner, to: viewer) || isInPost(upload.id, of: owner, for: viewer) { return true }
    if isInProfile(upload, for: viewer) { return true }
    return media.publications(ofUpload: upload.id).contains { publication in
      switch publication {
      case .video(let id):
        media.video(id).map { $0.creatorId.hasSameBytes(as: owner) && shows($0, to: viewer) } ?? false
      case .reel(let id):
        media.reel(id).map { $0.reel.creatorId.hasSameBytes(as: owner) && shows($0.reel, to: viewer) } ?? false
      }
    }
  }

  func shows(_ video: Video, to viewer: Viewer) -> Bool {
    let circle = video.status == PostStatus.draft.rawValue ? .owner : Circle(visibility: video.visibility)
    return shows(circle, of: video.creatorId, to: viewer) || isInPost(video.id, of: video.creatorId, for: viewer)
  }

  func shows(_ reel: Reel, to viewer: Viewer) -> Bool {
    shows(Circle(visibility: reel.visibility), of: reel.creatorId, to: viewer)
      || isInPost(reel.id, of: reel.creatorId, for: viewer)
  }

  /// Only a post of the owner publishes a file: others can name any id in theirs.
  private func isInPost(_ media: String, of owner: String, for viewer: Viewer) -> Bool {
    content.posts(showing: media).contains {
      content.authorID(ofPost: $0).hasSameBytes(as: owner) && shows(post: $0, to: viewer)
    }
  }

  /// The avatar is for everyone; the cover, for those who may see the whole profile.
  private func isInProfile(_ upload: Upload, for viewer: Viewer) -> Bool {
    guard !upload.url.isEmpty, let profile = users.profile(upload.userId) else { return false }
    func isURL(_ url: String?) -> Bool { url?.hasSuffix(upload.url) ?? false }
    return isURL(profile.avatarUrl) || isURL(profile.coverUrl) && showsProfile(of: profile.id, to: viewer)
  }
}

extension Circle {
  /// An unknown visibility is taken for the narrowest one.
  fileprivate init(visibility: String) { self = PostPrivacy(rawValue: visibility).map(Circle.init) ?? .owner }
}
