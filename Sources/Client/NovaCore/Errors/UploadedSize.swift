/// The size in a server's response to the bytes of an upload, `{"upload":{"uploaded_size":…}}`.
package enum UploadedSize {
  /// The reported size; nil for other responses, such as those of a separate storage server.
  package static func inAnswer(_ body: [UInt8]) -> Int64? {
    // An upload has a dozen short fields.
    guard body.count <= 64 << 10, let upload = (try? JSONValue(jsonUTF8: body))?["upload"],
      let size = upload["uploaded_size"] ?? upload["uploadedSize"]
    else { return nil }
    return size.integerValue.map { Int64($0) } ?? size.stringValue.flatMap { Int64(decimal: $0) }
  }
}
