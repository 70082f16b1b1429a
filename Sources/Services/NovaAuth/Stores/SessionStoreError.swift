public import NovaCore

/// An error of a session store: the file, the problem and what to do. Never contains a secret.
public struct SessionStoreError: NovaError, Hashable {
  /// The kind of an error. Open: later versions may add kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `wrongKey`.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// The file was written with another key.
    public static let wrongKey = Kind(rawValue: "wrongKey")
    /// The session file exists, but its key file does not.
    public static let missingKey = Kind(rawValue: "missingKey")
    /// The key, or the content of the key file, is invalid.
    public static let invalidKey = Kind(rawValue: "invalidKey")
    /// Other users can read or change the file or directory.
    public static let tooOpen = Kind(rawValue: "tooOpen")
    /// The file belongs to another user.
    public static let notOwned = Kind(rawValue: "notOwned")
    /// The path leads to a symbolic link, which is not followed.
    public static let symbolicLink = Kind(rawValue: "symbolicLink")
    /// The path does not lead to a regular file, or not through directories.
    public static let wrongType = Kind(rawValue: "wrongType")
    /// The file is truncated, modified, or not a session.
    public static let damaged = Kind(rawValue: "damaged")
    /// The file was written by a version of the SDK that this one does not support.
    public static let unknownVersion = Kind(rawValue: "unknownVersion")
    /// The file, or the session for it, is larger than a session can be.
    public static let tooLarge = Kind(rawValue: "tooLarge")
    /// The disk is full.
    public static let diskFull = Kind(rawValue: "diskFull")
    /// The system denied access.
    public static let notPermitted = Kind(rawValue: "notPermitted")
    /// Another process did not release the store in time.
    public static let locked = Kind(rawValue: "locked")
    /// Encryption is unavailable; the message says what to install.
    public static let noCryptography = Kind(rawValue: "noCryptography")
    /// Another program changed the stored session since it was read, so nothing was written. Load it again.
    public static let changed = Kind(rawValue: "changed")
    /// A store on another machine cannot be reached, or refuses to work. Try again later.
    public static let unavailable = Kind(rawValue: "unavailable")
    /// Another system error.
    public static let system = Kind(rawValue: "system")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The file or directory, or the name of another place.
  public let path: String
  /// The problem and what to do.
  public let message: String

  /// Creates an error, for stores of your own.
  ///
  /// - Parameters:
  ///   - kind: the kind of the error. `changed` and `unavailable` affect what ``SessionManager`` does.
  ///   - path: the file, or another name of the place. Not a URL with a password.
  ///   - message: the problem and what to do, without a secret.
  @inline(never)
  public init(_ kind: Kind, at path: String, _ message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }
}

extension SessionStoreError: UserFacingError {
  public var description: String { "\(path.printable(to: 200)): \(message)" }

  /// A sentence for the user of an app, without the path; see ``UserMessage``.
  public var errorDescription: String? { UserMessage.text(userMessageKey) }

  package var userMessageKey: UserMessage.Key { .sessionStore }
}
