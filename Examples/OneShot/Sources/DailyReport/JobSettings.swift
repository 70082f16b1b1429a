import Logging
import NovaSDK

/// The settings of a run. A job has no arguments and no prompts: everything comes from the environment.
struct JobSettings {
  let user: String
  let timeForCalls: Duration
  private let configuration: APIConfiguration
  private let sessions: FileSessionStore?

  init(_ environment: [String: String]) throws {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let user = value("JOB_USER") else { throw JobError("JOB_USER is missing: expected the ID of a user") }
    self.user = user
    let seconds = try value("JOB_TIMEOUT").map { text in
      guard let seconds = Double(text), (0.1...900).contains(seconds) else {
        throw JobError("JOB_TIMEOUT is \"\(text.prefix(20))\": expected 0.1 to 900 seconds")
      }
      return seconds
    }
    // A platform stops a process without notice, so the calls end earlier: by a tenth, or 1 s.
    let timeout = seconds ?? 30
    timeForCalls = .seconds(timeout - min(timeout / 10, 1))
    configuration = try APIConfiguration.load(environment: environment)
    // A session can be refreshed and outlasts a run. A token of NOVA_TOKEN or NOVA_TOKEN_FILE must be valid for the run.
    sessions = try value("JOB_SESSION_FILE").map { path in
      FileSessionStore(path: path, key: try value("JOB_SESSION_KEY").map { try SessionKey($0) })
    }
  }

  func client(observer: any CallObserver, _ logger: Logger) -> NovaClient {
    let options: (inout ClientOptions) -> Void = { ($0.observer, $0.logger) = (observer, logger) }
    if let sessions { return NovaClient(configuration: configuration, sessionStore: sessions, with: options) }
    return NovaClient(configuration: configuration, with: options)
  }
}

/// A variable of the job that cannot be used.
struct JobError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The status of the process, by what a scheduler can do about it.
enum ExitStatus {
  static func of(_ error: any Error) -> Int32 {
    switch error {
    // EX_CONFIG: no run can succeed before someone changes the settings.
    case is JobError, is ConfigurationError, is SessionStoreError: return 78
    case let error as APIError: return of(error.code)
    default: return 1
    }
  }

  private static func of(_ code: APIError.Code) -> Int32 {
    switch code {
    // EX_NOPERM: the token or the session is not valid any more.
    case .unauthorized, .permissionDenied: 77
    // EX_TEMPFAIL: the next run can succeed.
    case .networkError, .timeout, .unavailable, .rateLimited, .serverError, .cancelled: 75
    // EX_DATAERR: neither another run nor other settings help.
    default: 65
    }
  }
}
