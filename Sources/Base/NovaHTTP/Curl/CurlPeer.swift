import NovaSupport

extension CurlTransport.Options {
  /// Checks that a connection to this machine does not lead to another one, if it is not protected: the name of this
  /// machine can resolve to another machine's address.
  func checkPeer(of handle: CurlHandle, origin: HTTPOrigin, skipsChecks: Bool) throws(TransportError) {
    let isHere = route(to: origin) == .socket || handle.peer.map(NetworkHost.isLoopback) ?? false
    guard origin.isLoopback, skipsChecks || !origin.isSecure, !isHere else { return }
    throw TransportError(
      origin.isSecure ? .tls : .invalidURL,
      "\(origin.place) is not on this machine, and the connection is not protected", sent: .nothing,
      requestMayHaveLeft: false)
  }
}
