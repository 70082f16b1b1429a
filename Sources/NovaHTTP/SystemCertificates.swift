#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import CNovaCurl
import NovaSupport

/// Where the environment has the certificates of the authorities that the system's programs trust: the variables of
/// OpenSSL and curl, which libcurl itself does not read.
package struct SystemCertificates: Sendable, Hashable {
  /// The value of a variable that is set and not empty.
  package struct Place: Sendable, Hashable {
    package let variable: String
    /// The path, which need not be UTF-8.
    fileprivate let path: String

    /// - Parameter read: looks up a variable.
    fileprivate init?(_ variables: String..., read: (String) -> String?) {
      for variable in variables {
        guard let path = read(variable), !path.isEmpty else { continue }
        (self.variable, self.path) = (variable, path)
        return
      }
      return nil
    }
  }

  /// A file of certificates, in place of the system's file: that of `CURL_CA_BUNDLE`, or else of `SSL_CERT_FILE`.
  package let file: Place?
  /// A directory of them, in place of the system's directory: that of `SSL_CERT_DIR`.
  package let directory: Place?

  /// Those of the process, as they were when a transport was first made.
  package static let ofProcess = SystemCertificates { name in getenv(name).map { String(path: $0) } }

  /// Those of other variables, for tests.
  package init(_ variables: [String: String]) { self.init { variables[$0] } }

  private init(read: (String) -> String?) {
    file = Place("CURL_CA_BUNDLE", "SSL_CERT_FILE", read: read)
    directory = Place("SSL_CERT_DIR", read: read)
  }
}

extension CurlTransport.Options {
  /// The environment's certificates where the options name none.
  private var trusted: SystemCertificates? { caFile == nil ? systemCertificates : nil }

  /// Lets a handle trust the authorities of the environment, for servers and for proxies; false if libcurl refuses.
  func setTrust(on easy: UnsafeMutableRawPointer) -> Bool {
    guard let trusted, trusted.file != nil || trusted.directory != nil else { return true }
    return Self.withPath(trusted.file?.path) { file in
      Self.withPath(trusted.directory?.path) { directory in nova_curl_trust(easy, file, directory) == CURLE_OK }
    }
  }

  /// The file that libcurl reads certificates from, and what named it: for messages. Nil for the system's.
  var certificateFile: (path: String, source: String)? {
    if let caFile { return (caFile, "") }
    return systemCertificates.file.map { ($0.path.shownPath, " of \($0.variable)") }
  }

  /// The error for a file of certificates without an end: libcurl would wait for it on the thread of all connections,
  /// whatever the time limits are.
  ///
  /// - Parameter offersCertificate: whether the client's own certificate is used.
  func checkCertificateFiles(offersCertificate: Bool) -> CURLcode {
    if let file = caFile ?? systemCertificates.file?.path, SystemIO.mayNotEnd(file) { return CURLE_SSL_CACERT_BADFILE }
    guard offersCertificate, let clientCertificateFile else { return CURLE_OK }
    let files = [clientCertificateFile] + (clientKeyFile.map { [$0] } ?? [])
    return files.contains(where: SystemIO.mayNotEnd) ? CURLE_SSL_CERTPROBLEM : CURLE_OK
  }
}
