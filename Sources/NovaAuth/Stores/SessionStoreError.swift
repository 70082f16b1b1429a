public import NovaCore

/// Why a session could not be kept or read: which file, what is wrong with it and what to do. Never holds a secret.
public struct SessionStoreError: NovaError, Hashable {
  /// What kind of failure it is. Open: later versions may add kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `wrongKey`.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// The file was written with another key.
    public static let wrongKey = Kind(rawValue: "wrongKey")
    /// There is a session's file, but the file with its key is gone.
    public static let missingKey = Kind(rawValue: "missingKey")
    /// What was given as the key, or stands in its file, is none.
    public static let invalidKey = Kind(rawValue: "invalidKey")
    /// Others may read or change what only its owner may.
    public static let tooOpen = Kind(rawValue: "tooOpen")
    /// The file belongs to somebody else.
    public static let notOwned = Kind(rawValue: "notOwned")
    /// The path leads to a symbolic link, which is not followed.
    public static let symbolicLink = Kind(rawValue: "symbolicLink")
    /// The path leads to something that is no file, or through something that is no directory.
    public static let wrongType = Kind(rawValue: "wrongType")
    /// The file's content is not what was written: cut off, changed, or of something else.
    public static let damaged = Kind(rawValue: "damaged")
    /// The file was written by a version of the SDK that this one does not know.
    public static let unknownVersion = Kind(rawValue: "unknownVersion")
    /// The file, or the session for it, is larger than a session can be.
    public static let tooLarge = Kind(rawValue: "tooLarge")
    /// There is no room left.
    public static let diskFull = Kind(rawValue: "diskFull")
    /// The system refuses it.
    public static let notPermitted = Kind(rawValue: "notPermitted")
    /// Another process did not let go of the store in time.
    public static let locked = Kind(rawValue: "locked")
    /// Encryption does not work here; the message says what to install.
    public static let noCryptography = Kind(rawValue: "noCryptography")
    /// Anything else that the system says.
    public static let system = Kind(rawValue: "system")
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The file or directory.
  public let path: String
  /// What is wrong and what to do.
  public let message: String

  init(_ kind: Kind, _ path: String, _ message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }
}

extension SessionStoreError {
  public var description: String { "\(path.printable(to: 200)): \(message)" }
}
