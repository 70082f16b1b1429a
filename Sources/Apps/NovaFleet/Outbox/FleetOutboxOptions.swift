import NovaLibc

/// How a replica delivers the writes of an outbox in PostgreSQL.
public struct FleetOutboxOptions: Sendable {
  /// The name of the replica, which operators see in the table of subjects. Default: the host's name and the process ID.
  public var owner: String
  /// The maximum number of subjects that the replica delivers at once; at least 1. Each has one call in progress.
  public var maximumSubjects = 64
  /// How long a lease lasts without being renewed: after that, another replica takes over from one that was killed or
  /// stopped. At least 1 s; renewed after a third of it.
  public var lease = Duration.seconds(15)
  /// How often the table is read if nothing announces new writes.
  public var pollInterval = Duration.milliseconds(500)
  /// The number of waiting writes of a subject that are read at once; 1…4096.
  public var window = 128
  /// The maximum number of writes of one subject that are delivered before others have their turn.
  public var burst = 512
  /// The maximum number of changes in one statement.
  public var batch = 512
  /// How long a subject rests after the gateway refused its token, or there was none.
  public var signedOutRest = Duration.seconds(60)
  /// How long delivered writes are kept, for audits; zero removes each as soon as it is delivered.
  public var keepsDelivered = Duration.zero
  /// How long refused writes are kept; nil keeps them until someone retries, edits, or discards them.
  public var keepsRefused: Duration?
  /// How often old rows are removed and the queue is measured.
  public var maintenanceInterval = Duration.seconds(60)

  /// Creates the default options.
  ///
  /// - Parameter owner: the name of the replica. Default: the host's name and the process ID.
  public init(owner: String? = nil) { self.owner = owner ?? Self.defaultOwner }
}

extension FleetOutboxOptions {
  private static var defaultOwner: String {
    var name = [CChar](repeating: 0, count: 256)
    let isKnown = gethostname(&name, 255) == 0
    let host = isKnown ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : "host"
    return "\(host):\(getpid())"
  }
}
