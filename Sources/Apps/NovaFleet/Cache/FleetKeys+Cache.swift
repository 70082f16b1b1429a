internal import NovaSupport

extension FleetKeys: FleetCacheSealing {
  /// Encrypts a value of a cache for its place.
  ///
  /// - Throws: ``FleetKeyError`` if libcrypto is missing.
  public func seal(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8] { try seal(bytes, at: Self.cachePlace(place)) }

  /// Decrypts a value of a cache; nil if its key is missing, or if it was changed or moved.
  public func open(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8]? { try? open(bytes, at: Self.cachePlace(place)) }

  private static func cachePlace(_ place: [UInt8]) -> String { "nova fleet cache\n\(Hexadecimal.encode(place))" }
}
