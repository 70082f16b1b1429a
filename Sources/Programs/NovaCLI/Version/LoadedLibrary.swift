internal import CNovaZlib
import NovaCore
import NovaCrypto
import NovaPostgreSQL
import NovaSQLite

/// A library that is loaded when it is first used, so each machine may have another version, or none.
struct LoadedLibrary {
  let name: String
  /// The version number; nil if the library could not be loaded.
  var version: String?
  /// What the library reports about itself, if that is more than its version.
  var details: String?
  /// Why it could not be loaded, and how to install it.
  var problem: String?
  /// What does not work without it: `calls to a gateway`.
  let purpose: String

  /// All libraries that this program can load.
  static func all() -> [LoadedLibrary] {
    var libraries = [
      curl(),
      library(
        "OpenSSL", for: "stored sessions, uploads of images, the media cache, and the accounts of the mock backend"
      ) { try CryptoLibrary.version() },
      library("SQLite", for: "--offline, --cache, the outbox, analytics on disk, and fixtures as a database") {
        try SQLiteLibrary.version()
      },
      library("libpq", for: "nova outbox with --postgres") { try PostgreSQLLibrary.version() },
    ]
    #if GRPC
      libraries.append(
        library("nghttp2", for: "base URLs with grpc:// and grpcs://") { try HTTP2Library.version() })
    #endif
    libraries.append(
      library("zlib", for: "compressed messages on the gRPC port of nova serve") {
        if let problem = nova_zlib_load() { throw MissingLibrary(reason: String(cString: problem)) }
        return String(cString: nova_zlib_version())
      })
    return libraries
  }

  /// The libcurl of this machine, with the libraries that it uses.
  private static func curl() -> LoadedLibrary {
    library("libcurl", for: "calls to a gateway; --mock works without it") { try CurlLibrary.version() }
  }

  private static func library(
    _ name: String, for purpose: String, _ description: () throws -> String
  ) -> LoadedLibrary {
    do {
      let text = try description()
      let version = number(in: text)
      return LoadedLibrary(name: name, version: version, details: text == version ? nil : text, purpose: purpose)
    } catch {
      return LoadedLibrary(name: name, problem: reason(error), purpose: purpose)
    }
  }

  /// The first version in a description: `8.14.1` of `libcurl/8.14.1 OpenSSL/3.5.4`, `3.5.4` of `OpenSSL 3.5.4 30 Sep 2025`.
  static func number(in text: String) -> String {
    let words = text.split { $0 == " " || $0 == "/" }
    return words.first { $0.first?.isNumber == true }.map(String.init) ?? text
  }

  /// The TLS library in libcurl's description: `OpenSSL/3.5.4`; nil if this libcurl has none.
  static func tlsBackend(in description: String) -> String? {
    let names = [
      "AWS-LC", "BearSSL", "BoringSSL", "GnuTLS", "LibreSSL", "mbedTLS", "NSS", "OpenSSL", "quictls", "Rustls",
      "rustls-ffi", "Schannel", "SecureTransport", "wolfSSL",
    ]
    // libcurl puts backends in parentheses that it has, but does not use.
    return description.split(separator: " ").first { word in
      names.contains { word.lowercased().hasPrefix("\($0.lowercased())/") || word == $0 }
    }.map(String.init)
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as TransportError: error.message
    case let error as SQLiteError: error.message
    case let error as PostgreSQLError: error.message
    case let error as MissingLibrary: error.reason
    default: "\(error)"
    }
  }
}

private struct MissingLibrary: Error {
  let reason: String
}
