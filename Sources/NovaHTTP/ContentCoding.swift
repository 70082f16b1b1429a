import NovaSupport

extension HTTPHeaders {
  /// The codings that were applied to the body (RFC 9110, 8.4), in lower case and in this order.
  package var contentCodings: [String] {
    ContentCoding.names(in: values(for: "Content-Encoding"))
  }

  /// Whether the body is compressed or encrypted.
  package var isEncoded: Bool { self["Content-Encoding"] != nil && !contentCodings.isEmpty }
}

/// What `Content-Encoding` can name.
///
/// The field often has something else, and then the bytes are as they are stored: nothing, `identity`, `none`, a character
/// set, `binary`, or the framing of a request that stored the file (`aws-chunked`). So only names of codings count, and any
/// other is left out.
package enum ContentCoding {
  /// IANA's registry without `identity`, and what compressors are called in practice.
  private static let all: Set<String> = [
    "aes128gcm", "br", "brotli", "bzip", "bzip2", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "lz4", "lzma",
    "pack200-gzip", "sdch", "snappy", "x-bzip", "x-bzip2", "x-compress", "x-deflate", "x-gzip", "x-lz4", "x-lzma",
    "x-snappy", "x-snappy-framed", "x-xz", "x-zstd", "xz", "zstd",
  ]

  /// The codings that values of `Content-Encoding` name, in lower case and in their order.
  package static func names(in values: [String]) -> [String] {
    var names: [String] = []
    for value in values {
      for member in value.parts(between: ",", keepsEmpty: false) {
        // Some peers add parameters, or quotation marks.
        let name = member.prefix { $0 != ";" }.filter { !" \t\"'".contains($0) }.lowercased()
        if all.contains(name) { names.append(name) }
      }
    }
    return names
  }
}
