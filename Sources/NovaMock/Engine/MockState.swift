import NovaAnnouncements

/// Everything the backend remembers. Each service has a store of its own; what concerns several is in the handlers.
struct MockState: Sendable {
  var graph = GraphStore()
  var users = UserStore()
  var content = ContentStore()
  var social = SocialStore()
  var auth = AuthStore()
  var media = MediaStore()
  var capture = CaptureStore()
  var announcements: [Announcement] = []
  /// Whose captures a request without a token is about.
  var sampleUser = GuideDataSet.sampleID
  /// What was answered under each `Idempotency-Key`.
  var idempotencyKeys = IdempotencyKeys()
  /// The time of this moment in Unix seconds, set anew for each request.
  var now: Int64 = 0
  /// How far the clock has been set forward, in seconds.
  var clockOffset: Int64 = 0
  /// What the password of this request was made into, see ``withoutPassword(_:)``.
  var passwordKey: [UInt8]?
  /// The user whose access token came with this request; nil when none came.
  var caller: String?
}
