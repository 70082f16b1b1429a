package import NovaCore

/// An interrupted upload of a file, which ``MediaService/resumeUpload(_:)`` continues.
public struct PendingUpload: Sendable, Hashable, Identifiable {
  /// The upload's id on this machine; see ``MediaUpload/id``.
  public let id: String
  /// The file's absolute path.
  public let path: String
  /// The name under which the file is uploaded.
  public let fileName: String
  /// The file's size, in bytes.
  public let totalBytes: Int
  /// The number of bytes that the server had confirmed, as far as was recorded.
  public let uploadedBytes: Int
  /// The owner of the upload. Only this user can resume it, or the caller who began it.
  public let userId: String
  /// The media type, such as `video/mp4`.
  public let contentType: String
  /// When the upload was started, in Unix seconds.
  public let startedAt: Double
  /// When bytes were last confirmed, in Unix seconds.
  public let changedAt: Double
  /// The gateway's base URL, such as `https://api.nova.social`. Only a client of this gateway can resume the upload.
  public let gateway: String
  /// The id of the upload at the server; nil if no response to StartUpload was recorded.
  public let uploadId: String?
  /// The file as it was when the upload began.
  let file: FileIdentity
  /// Who began it; nil if an earlier version has recorded it.
  let caller: Identity.Caller?

  /// Whether a caller may resume the upload: the one who began it, or its owner. Nobody else's token goes with its bytes.
  package func canBeResumed(by identity: Identity) -> Bool {
    if identity.user.hasSameBytes(as: userId) || identity.caller == caller { return true }
    // What is recorded does not tell callers apart that are no known users.
    return caller == nil && identity.user == nil
  }

  /// How the file has changed since the upload began, as the end of a sentence; nil if it has not.
  package var fileChange: String? {
    guard let now = FileIdentity(path: path) else { return "it was removed or renamed" }
    return file.difference(from: now)
  }

  /// Whether the file at a path is the one that was begun, and unchanged.
  package func isUpload(ofFileAt path: String) -> Bool { FileIdentity(path: path) == file && fileChange == nil }
}

/// The interrupted uploads whose records are in the state directory, of all users and gateways.
public struct PendingUploads: Sendable, Hashable {
  /// The uploads that can be resumed, oldest first.
  public var uploads: [PendingUpload]
  /// The uploads that cannot be resumed: those that expired just now, and damaged records.
  public var dropped: [DroppedUpload]
  /// The ids of uploads that this process or another one is sending.
  package var running: [String] = []
}

/// An interrupted upload that cannot be resumed.
public struct DroppedUpload: Sendable, Hashable, Identifiable {
  /// The upload's id on this machine.
  public let id: String
  /// The upload; nil if its record cannot be read.
  public let upload: PendingUpload?
  /// Why it cannot be resumed, in a sentence.
  public let reason: String
  /// The file of its record, which ``MediaService/discardUpload(id:)`` removes; nil if it is removed already.
  public let journalPath: String?
}
