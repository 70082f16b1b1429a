/// Whether secrets may travel to a gateway.
package enum CredentialSafety {
  /// Scheme, host and port of a URL.
  package static func origin(of url: String) -> String { BaseURL.parse(url)?.origin.text ?? "" }

  /// Refuses to send a password or a token where others could read it.
  ///
  /// - Throws: ``APIError`` with the code `insecureConnection`.
  package static func requireSafe(_ url: HTTPURL, for what: String) throws(APIError) {
    guard !url.origin.protectsSecrets else { return }
    throw APIError(
      .insecureConnection,
      "\(what) would travel unencrypted: \(url.origin) is neither https nor this machine. Nothing was sent; "
        + "use an https URL.")
  }
}
