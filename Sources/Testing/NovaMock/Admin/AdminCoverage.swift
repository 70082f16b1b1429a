import NovaCore
package import NovaCoverage
import NovaRegistry

/// What the requests of this run tried of the contract, in the admin API.
struct AdminCoverage {
  let backend: MockBackend

  func response() throws -> HTTPResponse { .json(try coverage.json) }

  /// Starts to count again.
  func removeAll() throws -> HTTPResponse {
    backend.log.withLock { $0.coverage?.removeAll() }
    return try response()
  }

  private var coverage: ContractCoverage {
    get throws {
      guard let coverage = backend.coverage else {
        throw MockFailure(.failedPrecondition, "coverage is not recorded: call recordCoverage(_:) of the backend")
      }
      return coverage
    }
  }
}

extension MockBackend {
  /// Counts what later requests try of the contract. Reading a request for that takes about as long as handling it.
  ///
  /// - Parameter plan: what can be tried.
  package func recordCoverage(_ plan: CoveragePlan) { log.withLock { $0.coverage = CoverageRecorder(plan) } }

  /// What requests tried since ``recordCoverage(_:)``; nil if it is not recorded.
  package var coverage: ContractCoverage? { log.withLock { $0.coverage }?.coverage }
}

extension CoverageObservation {
  /// What a call tried; nil for a call of no RPC.
  init?(_ call: IncomingCall, _ response: HTTPResponse?) {
    guard case .api(.rpc(let rpc, let variables)) = call.route else { return nil }
    if let original = call.original {
      self.init(rpc, message: try? original.message.get(), status: response?.status)
    } else if call.path != rpc.http.path, rpc.isServerStreaming {
      // The handshake of a WebSocket connection has a path of its own.
      self.init(rpc, handshake: response?.status)
    } else {
      self.init(rpc, variables: variables, query: call.query, body: call.request.body.bytes, status: response?.status)
    }
  }
}
