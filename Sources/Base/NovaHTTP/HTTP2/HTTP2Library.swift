#if GRPC
  internal import CNovaHTTP2

  /// The nghttp2 of this machine.
  package enum HTTP2Library {
    /// Its version: `1.64.0`.
    ///
    /// - Throws: ``TransportError`` if it cannot be loaded.
    package static func version() throws(TransportError) -> String {
      if let problem = nova_h2_load() { throw .unavailable(String(cString: problem)) }
      return String(cString: nova_h2_version())
    }
  }
#endif
