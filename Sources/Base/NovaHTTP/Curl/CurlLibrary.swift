internal import CNovaCurl

/// The libcurl of this machine.
package enum CurlLibrary {
  /// The versions of libcurl and of the libraries it uses: `libcurl/8.5.0 OpenSSL/3.0.13 nghttp2/1.59.0`.
  ///
  /// - Throws: ``TransportError`` if it cannot be loaded.
  package static func version() throws(TransportError) -> String {
    if let problem = nova_curl_load() { throw .unavailable(String(cString: problem)) }
    return String(cString: nova_curl_version())
  }
}
