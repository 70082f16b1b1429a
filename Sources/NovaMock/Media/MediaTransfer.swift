/// The transfers of bytes, which are no RPCs but have names for faults.
enum MediaTransfer: String, CaseIterable, Sendable {
  /// `PUT` of a chunk.
  case upload = "media.UploadBytes"
  /// `GET` or `HEAD` of a file.
  case download = "media.DownloadBytes"
}
