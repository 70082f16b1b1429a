import NovaCore
import NovaLibc

/// Finds the addresses of a host.
enum NameLookup {
  /// - Returns: the addresses, without any for an unknown name; nil if the lookup takes longer.
  static func addresses(of host: String, within limit: Duration) async -> [String]? {
    // The system's function waits, and cannot be cancelled.
    try? await Race.run(
      until: ContinuousClock.now.advanced(by: limit), ContinuousClock(), timeUp: CancellationError()
    ) {
      await Task.detached { lookUp(host) }.value
    }
  }

  private static func lookUp(_ host: String) -> [String] {
    var name = host
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    // One entry for each address.
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next {
      if let address = text(of: entry.pointee) { addresses.append(address) }
      next = entry.pointee.ai_next
    }
    return addresses.withoutRepeats()
  }

  private static func text(of entry: addrinfo) -> String? {
    var buffer = [CChar](repeating: 0, count: 64)
    let code = getnameinfo(
      entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
