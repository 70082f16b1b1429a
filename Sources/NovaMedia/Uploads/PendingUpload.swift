/// The upload of a file that was interrupted, and that ``MediaService/resumeUpload(_:)`` continues.
public struct PendingUpload: Sendable, Hashable, Identifiable {
  /// The upload's id on this machine; see ``MediaUpload/id``.
  public let id: String
  /// The file's absolute path.
  public let path: String
  /// The name under which the file is uploaded.
  public let fileName: String
  /// The file's size, in bytes.
  public let totalBytes: Int
  /// How many bytes the server had, as far as is known without asking it.
  public let uploadedBytes: Int
  /// The owner of the upload.
  public let userId: String
  /// The media type.
  public let contentType: String
  /// When the upload was started, in Unix seconds.
  public let startedAt: Double
  /// When bytes were last confirmed, in Unix seconds.
  public let changedAt: Double
  /// The root of the gateway's URLs: `https://api.nova.social`. Only a client of this gateway can resume the upload.
  public let gateway: String
  /// The server's id of the upload; nil if it is not known to have started it.
  public let uploadId: String?
}

/// The interrupted uploads of this machine.
public struct PendingUploads: Sendable, Hashable {
  /// Those that can be resumed, oldest first.
  public var uploads: [PendingUpload]
  /// Those that cannot, and why.
  public var dropped: [DroppedUpload]
}

/// An interrupted upload that cannot be resumed.
public struct DroppedUpload: Sendable, Hashable, Identifiable {
  /// The upload's id on this machine.
  public let id: String
  /// The upload; nil if its file cannot be read.
  public let upload: PendingUpload?
  /// Why it cannot be resumed, in a sentence.
  public let reason: String
  /// The file that describes it; nil if that was removed. ``MediaService/discardUpload(id:)`` removes it.
  public let journalPath: String?
}
