internal import Foundation
import NovaTesting

/// The certificates of an ``NginxServer``, made with openssl: an authority's in `ca.pem`, the server's in `server.pem`.
struct TestCertificates {
  let openssl: String
  let directory: URL

  func make(_ fault: TLSFault?) throws {
    try makeAuthority("ca")
    switch fault {
    case nil: try makeServer("localhost")
    case .wrongHost: try makeServer("elsewhere.invalid")
    case .selfSigned: try run(Self.selfSigned("localhost"))
    case .unknownAuthority:
      try makeServer("localhost")
      try makeAuthority("ca")  // replaces the one that has signed
    case .expired: try makeServer(from: "20200101000000Z", to: "20201231000000Z")
    case .notYetValid: try makeServer(from: "20900101000000Z", to: "20901231000000Z")
    }
  }

  private func makeAuthority(_ name: String) throws {
    try run(["req", "-x509", "-subj", "/CN=Nova Test CA", "-keyout", "\(name).key", "-out", "\(name).pem"] + Self.key)
  }

  private func makeServer(_ host: String) throws {
    try run(Self.selfSigned(host) + ["-CA", "ca.pem", "-CAkey", "ca.key"])
  }

  /// `req` knows no dates before OpenSSL 3.4, but `ca` does, for which it wants a database.
  private func makeServer(from start: String, to end: String) throws {
    let configuration = """
      [ca]
      default_ca = test
      [test]
      database = index.txt
      rand_serial = yes
      new_certs_dir = .
      default_md = sha256
      policy = any
      x509_extensions = server
      [any]
      commonName = supplied
      [server]
      subjectAltName = DNS:localhost
      basicConstraints = critical,CA:FALSE
      """
    try Data(configuration.utf8).write(to: directory.appendingPathComponent("ca.conf"))
    try Data().write(to: directory.appendingPathComponent("index.txt"))
    try run(["req", "-new", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"] + Self.newKey)
    try run([
      "ca", "-config", "ca.conf", "-batch", "-notext", "-startdate", start, "-enddate", end, "-cert", "ca.pem",
      "-keyfile", "ca.key", "-in", "server.csr", "-out", "server.pem",
    ])
  }

  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  private static let key = newKey + ["-days", "2"]

  private static func selfSigned(_ host: String) -> [String] {
    [
      "req", "-x509", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-addext",
      "basicConstraints=critical,CA:FALSE", "-keyout", "server.key", "-out", "server.pem",
    ] + key
  }

  func run(_ arguments: [String]) throws {
    let process = try NginxServer.start(openssl, arguments, in: directory)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw RawServerError("openssl \(arguments[0]) could not make the certificates")
    }
  }
}
