internal import Foundation

extension NginxServer {
  /// A client's certificate and key as PEM files, gone with the server.
  public struct ClientCertificate: Sendable {
    /// The certificate.
    public let certificateFile: String
    /// Its key.
    public let keyFile: String
    /// The certificate, and behind it the key.
    public let combinedFile: String
  }

  /// Makes a certificate for a client, signed by the server's authority or, `isTrusted` false, by itself.
  ///
  /// - Parameter password: what the key is encrypted with; nil for a plain key.
  public func makeClientCertificate(
    named name: String, isTrusted: Bool = true, password: String? = nil
  ) throws -> ClientCertificate {
    let protection = password.map { ["-passout", "pass:\($0)"] } ?? ["-nodes"]
    let signature = isTrusted ? ["-CA", "ca.pem", "-CAkey", "ca.key"] : []
    let arguments =
      ["req", "-x509", "-subj", "/CN=\(name)", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2"]
      + ["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "\(name).key", "-out", "\(name).pem"]
    try TestCertificates(openssl: Self.find("openssl"), directory: directory).run(arguments + signature + protection)
    let path = { [directory] in directory.appendingPathComponent($0).path }
    let all = try ["pem", "key"].map { try String(contentsOfFile: path("\(name).\($0)"), encoding: .utf8) }
    try all.joined().write(toFile: path("\(name)-all.pem"), atomically: true, encoding: .utf8)
    return ClientCertificate(
      certificateFile: path("\(name).pem"), keyFile: path("\(name).key"), combinedFile: path("\(name)-all.pem"))
  }

  /// Makes a directory of authorities, as OpenSSL reads it, with the server's; gone with the server.
  public func makeAuthorityDirectory() throws -> String {
    let authorities = directory.appendingPathComponent("authorities")
    try FileManager.default.createDirectory(at: authorities, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: caFile, toPath: authorities.appendingPathComponent("ca.pem").path)
    try TestCertificates(openssl: Self.find("openssl"), directory: directory).run(["rehash", "authorities"])
    return authorities.path
  }

  /// Writes a file that goes with the server.
  public func write(_ text: String, to name: String) throws -> String {
    let file = directory.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
