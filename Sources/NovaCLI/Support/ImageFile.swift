import NovaCore
import NovaMedia

/// An image in a file, by its first bytes.
enum ImageFile {
  private static let types: [MediaType] = [.jpeg, .png, .gif, .webp, .heic]

  /// The media type of an image.
  ///
  /// - Throws: ``Failure`` if the file cannot be read or is not an image.
  static func type(of path: String) throws -> String {
    let shown = path.printable(to: 200)
    if let problem = System.problem(uploading: path) {
      throw Failure("cannot read \(shown): \(problem)", .badData)
    }
    let start: [UInt8]
    do throws(SystemError) {
      start = try System.firstBytes(of: path, count: MediaType.prefixLength)
    } catch {
      throw Failure("cannot read \(shown): \(error.reason)", .badData)
    }
    let type = MediaType(detectedIn: start)
    guard let type, types.contains(type) else {
      throw Failure(
        "cannot use \(shown) as a picture: \(type.map { "it is \($0)" } ?? "it is not an image")",
        hint: "Use a JPEG, PNG, GIF, WebP or HEIC file.", .badData)
    }
    return type.rawValue
  }
}
