/// Small files, read whole.
enum FileContents {
  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - limit: The most bytes the file may have.
  ///   - name: Who named the file, for the error.
  static func read(
    _ path: String, limit: Int, named name: String, from source: ConfigurationSource
  ) throws(ConfigurationError) -> [UInt8] {
    func refusal(_ expected: String) -> ConfigurationError {
      ConfigurationError(key: name, value: path.quoted, source: source, expected: expected)
    }
    guard !path.utf8.contains(0) else { throw refusal(SettingKind.path.expectation) }
    do throws(SystemError) {
      if let bytes = try SystemIO.readFile(path, limit: limit) { return bytes }
    } catch {
      throw refusal("a file that can be read (\(error.reason))")
    }
    throw refusal("a file of at most \(limit) bytes")
  }
}
