internal import Foundation
import NovaTesting

/// Certificates for a TLS server that is not nginx, in a folder that goes with the value.
package final class CertificateFolder: Sendable {
  private let folder: TemporaryFolder

  /// Makes an authority, and a server's certificate for `localhost`.
  package init() throws {
    folder = try TemporaryFolder()
    try certificates().make(nil)
  }

  /// The authority's certificate in PEM form.
  package var caFile: String { "\(folder.path)/ca.pem" }
  package var serverFile: String { "\(folder.path)/server.pem" }
  package var serverKeyFile: String { "\(folder.path)/server.key" }

  /// Makes a certificate for a client, signed by the authority or, `isTrusted` false, by itself.
  package func client(_ name: String, isTrusted: Bool = true) throws -> (certificate: String, key: String) {
    let signature = isTrusted ? ["-CA", "ca.pem", "-CAkey", "ca.key"] : []
    try certificates().run(
      ["req", "-x509", "-subj", "/CN=\(name)", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        + ["-days", "2", "-addext", "basicConstraints=critical,CA:FALSE"]
        + ["-keyout", "\(name).key", "-out", "\(name).pem"] + signature)
    return ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
  }

  private func certificates() throws -> TestCertificates {
    TestCertificates(openssl: try NginxServer.find("openssl"), directory: URL(filePath: folder.path))
  }
}
