package import NovaCore

/// An interrupted upload of a file, which ``MediaService/resumeUpload(_:)`` continues.
public struct PendingUpload: Sendable, Hashable, Identifiable {
  /// The upload's ID on this machine; see ``MediaUpload/id``.
  public let id: String
  /// The file's absolute path.
  public let path: String
  /// The name with which the file is uploaded.
  public let fileName: String
  /// The file's size, in bytes.
  public let totalBytes: Int
  /// The number of bytes that the server had confirmed, as far as recorded.
  public let uploadedBytes: Int
  /// The owner of the upload. Only the owner, or the caller who began it, can resume it.
  public let userId: String
  /// The media type, such as `video/mp4`.
  public let contentType: String
  /// When the upload was started, in Unix seconds.
  public let startedAt: Double
  /// When bytes were last confirmed, in Unix seconds.
  public let changedAt: Double
  /// The gateway's base URL, such as `https://api.nova.social`. Only a client of this gateway can resume the upload.
  public let gateway: String
  /// The ID of the upload at the server; nil if no response to StartUpload was recorded.
  public let uploadId: String?
  /// The file as it was when the upload began.
  let file: FileIdentity
  /// The caller who began it; nil if an earlier version recorded it.
  let caller: Identity.Caller?

  /// Whether a caller may resume the upload: the owner, or the caller who began it. Its bytes are never sent with
  /// another user's token.
  package func canBeResumed(by identity: Identity) -> Bool {
    if identity.user.hasSameBytes(as: userId) || identity.caller == caller { return true }
    // The record does not distinguish callers without a known user.
    return caller == nil && identity.user == nil
  }

  /// How the file has changed since the upload began, as the end of a sentence; nil if it has not.
  package var fileChange: String? {
    guard let now = FileIdentity(path: path) else { return "it was removed or renamed" }
    return file.difference(from: now)
  }

  /// Whether the file at a path is the unchanged file of this upload.
  package func isUpload(ofFileAt path: String) -> Bool { FileIdentity(path: path) == file && fileChange == nil }
}

/// The interrupted uploads that are recorded in the state directory, of all users and gateways.
public struct PendingUploads: Sendable, Hashable {
  /// The uploads that can be resumed, oldest first.
  public var uploads: [PendingUpload]
  /// The uploads that cannot be resumed: those that have just expired, and those with damaged records.
  public var dropped: [DroppedUpload]
  /// The IDs of uploads that this process or another one is sending.
  package var running: [String] = []
}

/// An interrupted upload that cannot be resumed.
public struct DroppedUpload: Sendable, Hashable, Identifiable {
  /// The upload's ID on this machine.
  public let id: String
  /// The upload; nil if its record cannot be read.
  public let upload: PendingUpload?
  /// Why it cannot be resumed, as a sentence.
  public let reason: String
  /// The file of its record, which ``MediaService/discardUpload(id:)`` removes; nil if it is already removed.
  public let journalPath: String?
}
