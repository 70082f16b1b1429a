import Configuration
import Synchronization

/// Remembers where each value came from: swift-configuration reports it only to such a reporter.
final class AccessLog: AccessReporter {
  private struct Accesses {
    var sources: [String: String] = [:]
    var failures: [String: String] = [:]
  }

  private let accesses = Mutex(Accesses())

  /// The names and providers of the values that were found, by key.
  var sources: [String: String] { accesses.withLock { $0.sources } }

  /// The provider whose value for a key has another type; nil if there is no such value.
  func failure(of key: String) -> String? { accesses.withLock { $0.failures[key] } }

  func report(_ event: AccessEvent) {
    let key = event.metadata.key.description
    accesses.withLock { accesses in
      for result in event.providerResults {
        switch result.result {
        case .success(let found) where found.value != nil:
          // Some providers have other names for a key: NOVA_BASE_URL.
          let name = found.encodedKey == key ? "" : "\(found.encodedKey), "
          accesses.sources[key] = name + result.providerName
          if event.conversionError != nil { accesses.failures[key] = result.providerName }
        case .failure: accesses.failures[key] = result.providerName
        default: break
        }
      }
    }
  }
}
