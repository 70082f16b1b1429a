#if GRPC
  public import NovaSupport

  /// An error for bytes that are not the expected message in protobuf's binary format, or for a value that cannot be
  /// written in it.
  ///
  /// It reports the place (``path``, ``offset``), what was ``expected``, and what was ``found``. It never contains values
  /// of secret fields.
  public struct ProtobufError: NovaError, Hashable {
    private struct Contents: Sendable, Hashable {
      var path: String
      var expected: String
      var found: String
      var offset: Int?
    }

    private indirect enum Storage: Sendable, Hashable { case contents(Contents) }

    // One word, so that functions that can throw it cost nothing when they succeed.
    private var storage: Storage

    private var contents: Contents {
      switch storage {
      case .contents(let contents): contents
      }
    }

    package init(path: String = "", expected: String, found: String, offset: Int? = nil) {
      storage = .contents(Contents(path: path, expected: expected, found: found, offset: offset))
    }

    /// The place in the message: `posts[3].created_at`. Empty for the message itself.
    public var path: String { contents.path }
    /// What was expected: `valid UTF-8`.
    public var expected: String { contents.expected }
    /// What was found: `byte 0xFF`.
    public var found: String { contents.found }
    /// The offset of the byte, from 0; nil if a value could not be written.
    public var offset: Int? { contents.offset }

    public var description: String {
      let place = offset.map { " (byte \($0))" } ?? ""
      return "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)\(place)"
    }

    /// Prefixes the path with the field that contains the value.
    @usableFromInline @inline(never)
    func inside(_ field: FieldDescriptor) -> ProtobufError {
      guard field.isSecret else { return inside(component: field.name) }
      // The keys of a secret map are secret, too, so the path ends at the field.
      return ProtobufError(path: field.name, expected: expected, found: "another value (hidden)", offset: offset)
    }

    /// Prefixes the path with the index of an element.
    @usableFromInline @inline(never)
    func inside(element index: Int) -> ProtobufError { inside(component: "[\(index)]") }

    /// Prefixes the path with the key of a map's entry.
    @usableFromInline @inline(never)
    func inside(entry key: String) -> ProtobufError { inside(component: "[\(key.quotedForPeople)]") }

    private func inside(component: String) -> ProtobufError {
      let path = path.isEmpty || path.hasPrefix("[") ? component + path : "\(component).\(path)"
      return ProtobufError(path: path, expected: expected, found: found, offset: offset)
    }
  }
#endif
