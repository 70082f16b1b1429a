internal import CNovaCurl
internal import NovaLibc
import NovaSupport

/// The environment's certificates of trusted authorities, in the variables of OpenSSL and curl, which libcurl itself
/// does not read.
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

  /// A file of certificates that replaces the system's file: `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE`.
  package let file: Place?
  /// A directory of certificates that replaces the system's directory: `SSL_CERT_DIR`.
  package let directory: Place?

  /// The process's certificates, read when the first transport is created.
  package static let ofProcess = SystemCertificates { name in getenv(name).map { String(path: $0) } }

  /// Creates them from other variables, for tests.
  package init(_ variables: [String: String]) { self.init { variables[$0] } }

  private init(read: (String) -> String?) {
    file = Place("CURL_CA_BUNDLE", "SSL_CERT_FILE", read: read)
    directory = Place("SSL_CERT_DIR", read: read)
  }
}

extension CurlTransport.Options {
  /// The environment's certificates, unless the options name some.
  private var trusted: SystemCertificates? { caFile == nil ? systemCertificates : nil }

  /// Makes a handle trust the environment's authorities, for servers and proxies; false if libcurl refuses.
  func setTrust(on easy: UnsafeMutableRawPointer) -> Bool {
    guard let trusted, trusted.file != nil || trusted.directory != nil else { return true }
    return Self.withPath(trusted.file?.path) { file in
      Self.withPath(trusted.directory?.path) { directory in nova_curl_trust(easy, file, directory) == CURLE_OK }
    }
  }

  /// The file from which libcurl reads certificates, and the setting that named it, for messages; nil for the system's.
  var certificateFile: (path: String, source: String)? {
    if let caFile { return (caFile, "") }
    return systemCertificates.file.map { ($0.path.shownPath, " of \($0.variable)") }
  }

  /// The error for a certificate file that may never end, such as a pipe: libcurl would wait for it on the thread of
  /// all connections, without a time limit.
  ///
  /// - Parameter offersCertificate: whether the client's own certificate is used.
  func checkCertificateFiles(offersCertificate: Bool) -> CURLcode {
    if let file = caFile ?? systemCertificates.file?.path, SystemIO.mayNotEnd(file) { return CURLE_SSL_CACERT_BADFILE }
    guard offersCertificate, let clientCertificateFile else { return CURLE_OK }
    let files = [clientCertificateFile] + (clientKeyFile.map { [$0] } ?? [])
    return files.contains(where: SystemIO.mayNotEnd) ? CURLE_SSL_CERTPROBLEM : CURLE_OK
  }
}
