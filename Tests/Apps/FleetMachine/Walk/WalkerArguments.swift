/// A user of the walk. The marks are in no text of the other user.
struct WalkerUser: Sendable {
  let id: String
  /// In everything that only this user may see.
  let privateMark: String
  /// In what this user has published.
  let publicMark: String
  /// The ID of a post that only this user may see.
  let privatePost: String

  /// Reads `id,private mark,public mark,post`.
  init?(_ text: String) {
    let parts = text.split(separator: ",").map(String.init)
    guard parts.count == 4 else { return nil }
    (id, privateMark, publicMark, privatePost) = (parts[0], parts[1], parts[2], parts[3])
  }
}

/// What the process is told, as `--name value`.
struct WalkerArguments: Sendable {
  struct Missing: Error { let name: String }

  /// The name of the process, which is in its requests.
  let name: String
  let redis: String
  let postgreSQL: String
  let gateway: String
  /// Where the sessions are: `redis` or `postgresql`.
  let engine: String
  let users: [WalkerUser]
  /// The ID of a post that both users see.
  let sharedPost: String
  /// The walk ends when this file exists.
  let until: String
  let seed: UInt64
  /// How far the clock of the machine is ahead, in seconds.
  let clock: Double
  /// The budget of the fleet, in calls per second, and at once.
  let (rate, burst): (Double, Int)

  init(_ arguments: some Sequence<String>) throws {
    let arguments = Array(arguments)
    func value(_ name: String) throws -> String {
      guard let index = arguments.firstIndex(of: "--\(name)"), index + 1 < arguments.count else {
        throw Missing(name: name)
      }
      return arguments[index + 1]
    }
    (name, redis, postgreSQL) = (try value("name"), try value("redis"), try value("postgresql"))
    (gateway, engine, until) = (try value("gateway"), try value("sessions"), try value("until"))
    (sharedPost, seed) = (try value("post"), UInt64(try value("seed")) ?? 1)
    (clock, rate) = (Double(try value("clock")) ?? 0, Double(try value("rate")) ?? 0)
    burst = Int(try value("burst")) ?? 0
    users = [WalkerUser(try value("first")), WalkerUser(try value("second"))].compactMap(\.self)
    guard users.count == 2 else { throw Missing(name: "first and second") }
  }
}
