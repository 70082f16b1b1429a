import NovaCore
import NovaSDK

/// A profile as people like to read it.
struct ProfileCard {
  let profile: UserProfile

  /// The lines below the name.
  var lines: [String] {
    var lines = [profile.bio, profile.location, profile.website, profile.email].compactMap { $0 }.filter { !$0.isEmpty }
    lines = lines.flatMap(\.displayedLines)
    lines.append("")
    lines.append(
      "\(profile.followerCount) followers, \(profile.followingCount) following, "
        + (profile.postCount == 1 ? "1 post" : "\(profile.postCount) posts"))
    if let time = CellText.time(Int(profile.createdAt)) { lines.append("joined \(time.prefix(10))") }
    return lines
  }

  /// `Bruce Li (bruce_li, mock-user-id), verified`.
  var name: String {
    let shown = profile.displayName.flatMap { $0.isEmpty ? nil : $0 } ?? profile.username
    var text = "\(shown.oneLine) (\(profile.username), \(profile.id))"
    if profile.isVerified { text += ", verified" }
    if profile.isPrivate { text += ", private" }
    return text.displayed
  }
}
