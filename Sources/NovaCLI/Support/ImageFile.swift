import NovaCore

/// An image in a file, by its first bytes.
enum ImageFile {
  /// The media type of an image.
  ///
  /// - Throws: ``Failure`` if the file cannot be read or is not an image.
  static func type(of path: String) throws -> String {
    throw Failure("cannot use \(path.quoted): not an image", .badData)
  }
}
