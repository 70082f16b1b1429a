import NovaCore
import NovaTestSupport
import Testing

@Suite struct ConfigurationFileTests {
  @Test func theStandardFileIsReadIfItIsThere() throws {
    let folder = try TemporaryFolder()
    #expect(try APIConfiguration.load(file: .standard(in: folder.path), environment: [:]).retryAttempts == 3)
    let path = try folder.write(#"{"retry": {"attempts": 7}}"#)
    let configuration = try APIConfiguration.load(file: .standard(in: folder.path), environment: [:])
    #expect(configuration.retryAttempts == 7)
    #expect(configuration.entry("retry.attempts")?.source == .file(path))
  }

  @Test func theVariableNamesAnother() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(#"{"retry": {"attempts": 7}}"#)
    let variables = ["NOVA_CONFIG": try folder.write(#"{"retry": {"attempts": 8}}"#, to: "other.json")]
    #expect(try APIConfiguration.load(file: .standard(in: folder.path), environment: variables).retryAttempts == 8)
    let explicit = ConfigurationFile.path("\(folder.path)/APIConfig.json")
    #expect(try APIConfiguration.load(file: explicit, environment: variables).retryAttempts == 7)
    #expect(try APIConfiguration.load(file: .none, environment: variables).retryAttempts == 3)
  }

  @Test func aNamedFileMustBeThere() throws {
    #expect(
      message { try APIConfiguration.load(environment: ["NOVA_CONFIG": "/nowhere/a.json"]) }
        == "NOVA_CONFIG is \"/nowhere/a.json\" (environment variable): expected a file that can be read "
        + "(No such file or directory)")
    #expect(
      message { try APIConfiguration.load(file: .path("/"), environment: [:]) }
        == "configuration file is \"/\" (set in code): expected a file that can be read (Is a directory)")
  }

  @Test func aFileHasABound() throws {
    #expect(
      message { try APIConfiguration.load(file: .path("/dev/zero"), environment: [:]) }
        == "configuration file is \"/dev/zero\" (set in code): expected a file of at most 1048576 bytes")
  }

  @Test func aTokenMayStandInAFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("  s3cret\r\n", to: "token")
    let configuration = try load(["NOVA_TOKEN_FILE": path])
    #expect(configuration.token?.secretValue == "s3cret")
    #expect(configuration.entry("token")?.source == .environmentVariable("NOVA_TOKEN_FILE"))
    #expect(
      message { try load(["NOVA_TOKEN_FILE": path, "NOVA_TOKEN": "x"]) }
        == "NOVA_TOKEN_FILE is \"\(path)\" (environment variable): expected only one of NOVA_TOKEN and "
        + "NOVA_TOKEN_FILE to be set")
    for bad in ["", "  \n", "s3cret s3cret", "s3cret\ns3cret", "\u{0}"] {
      let path = try folder.write(bad, to: "bad")
      #expect(
        message { try load(["NOVA_TOKEN_FILE": path]) }
          == "NOVA_TOKEN_FILE is \"\(path)\" (environment variable): expected a file that holds nothing but a token of "
          + "visible ASCII characters, without spaces, line breaks or the word Bearer")
    }
    #expect(message { try load(["NOVA_TOKEN_FILE": "/nowhere"]) }.hasSuffix("(No such file or directory)"))
  }

  @Test func certificatesMustBeReadable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("PEM", to: "ca.pem")
    #expect(try load(["NOVA_CA_FILE": path]).caFile == path)
    #expect(
      message { try load(["NOVA_CA_FILE": "/nowhere.pem"]) }
        == "NOVA_CA_FILE is \"/nowhere.pem\" (environment variable): expected a file that can be read "
        + "(No such file or directory)")
    // The first one of several that cannot be used is reported.
    #expect(
      message { try load(["NOVA_CLIENT_KEY_FILE": "/nowhere.key", "NOVA_CA_FILE": "/nowhere.pem"]) }
        .hasPrefix("NOVA_CA_FILE is \"/nowhere.pem\""))
    let file = try folder.write(#"{"ca_file": "ca.pem"}"#)
    #expect(try APIConfiguration.load(file: .path(file), environment: [:]).caFile == path)
  }

  @Test func theClientsCertificateComesFromEveryLayer() throws {
    let folder = try TemporaryFolder()
    let (certificate, key) = (try folder.write("PEM", to: "client.pem"), try folder.write("PEM", to: "client.key"))
    let file = try folder.write(#"{"client_certificate_file": "client.pem", "client_key_file": "client.key"}"#)
    for configuration in [
      try APIConfiguration.load(file: .path(file), environment: [:]),
      try load(["NOVA_CLIENT_CERTIFICATE_FILE": certificate, "NOVA_CLIENT_KEY_FILE": key]),
      try APIConfiguration(ConfigurationOverrides(clientCertificateFile: certificate, clientKeyFile: key)),
    ] {
      #expect(configuration.clientCertificateFile == certificate)
      #expect(configuration.clientKeyFile == key)
    }
    #expect(try load(["NOVA_CLIENT_CERTIFICATE_FILE": certificate]).clientKeyFile == nil)
    #expect(message { try load(["NOVA_CLIENT_CERTIFICATE_FILE": "/nowhere"]) }.hasSuffix("(No such file or directory)"))
    #expect(
      message { try load(["NOVA_CLIENT_KEY_FILE": key]) }
        == "NOVA_CLIENT_KEY_FILE is \"\(key)\" (environment variable): expected client_certificate_file to be set too, "
        + "with the certificate of this key")
  }
}
