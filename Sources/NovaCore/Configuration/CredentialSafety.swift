/// Whether secrets may travel to a gateway.
package enum CredentialSafety {
  /// Scheme, host and port of a URL.
  package static func origin(of url: String) -> String { BaseURL(url).map { BaseURL.origin($0.text) } ?? "" }

  /// Refuses to send a password or a token where others could read it.
  ///
  /// - Throws: ``APIError`` with the code `insecureConnection`.
  package static func requireSafe(_ url: String, for what: String) throws(APIError) {
    guard !BaseURL.isSafeForTokens(url) else { return }
    throw APIError(
      .insecureConnection,
      "\(what) would travel unencrypted: \(BaseURL.origin(url)) is neither https nor this machine. Nothing was sent; "
        + "use an https URL.")
  }
}
