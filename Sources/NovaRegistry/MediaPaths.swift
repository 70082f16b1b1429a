/// The paths of bytes, which belong to no RPC. The contract leaves both to the server, whose responses name them
/// (`upload_url`, `url`); these are the ones of the mock backend.
package enum MediaPaths {
  /// Where an upload's bytes are sent.
  package static let uploadBytes = "/api/v1/media/upload/{id}/bytes"
  /// Where a file is read.
  package static let file = "/media/{id}/{name}"
}
