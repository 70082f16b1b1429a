import NovaSupport

extension HTTPHeaders {
  /// The codings of the body (RFC 9110, 8.4), in lower case, in the order in which they were applied.
  package var contentCodings: [String] {
    ContentCoding.names(in: values(for: "Content-Encoding"))
  }

  /// Whether the body is compressed or encrypted.
  package var isEncoded: Bool { self["Content-Encoding"] != nil && !contentCodings.isEmpty }
}

/// The content codings.
///
/// Servers often put other things into `Content-Encoding` although the bytes are not encoded: nothing, `identity`,
/// `none`, a character set, `binary`, or the framing of the upload request (`aws-chunked`). So only known names count,
/// and all others are ignored.
package enum ContentCoding {
  /// IANA's registry without `identity`, and the names that compressors have in practice.
  private static let all: Set<String> = [
    "aes128gcm", "br", "brotli", "bzip", "bzip2", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "lz4", "lzma",
    "pack200-gzip", "sdch", "snappy", "x-bzip", "x-bzip2", "x-compress", "x-deflate", "x-gzip", "x-lz4", "x-lzma",
    "x-snappy", "x-snappy-framed", "x-xz", "x-zstd", "xz", "zstd",
  ]

  /// The codings in values of `Content-Encoding`, in lower case and in order.
  package static func names(in values: [String]) -> [String] {
    var names: [String] = []
    for value in values {
      for member in value.parts(between: ",", keepsEmpty: false) {
        // Some servers add parameters or quotation marks.
        let name = member.prefix { $0 != ";" }.filter { !" \t\"'".contains($0) }.lowercased()
        if all.contains(name) { names.append(name) }
      }
    }
    return names
  }
}
