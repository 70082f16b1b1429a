import NovaCore

/// The last change that a command has made at the gateway. If the output is lost, the user must still hear of it: running
/// the command again would make the change twice.
final class MadeChange: Sendable {
  private struct State {
    var rpc: String?
    var id: String?
  }

  private let state = Locked(State())

  /// Notes that a call has succeeded.
  func note(_ rpc: RPCDescriptor) {
    guard rpc.effect != .noSideEffects else { return }
    state.withLock { $0 = State(rpc: rpc.id) }
  }

  /// Notes the record that a response contains.
  func note(shown record: JSONValue) {
    guard let id = Self.id(of: record) else { return }
    state.withLock { $0.id = $0.id ?? id }
  }

  /// `The change was made (content.CreatePost): its ID is "post-1".` Nil if nothing was changed.
  var sentence: String? {
    state.withLock { state in
      state.rpc.map { rpc in
        "The change was made (\(rpc))\(state.id.map { ": its ID is \($0.printable(to: 80).quoted)" } ?? "")."
      }
    }
  }

  private static func id(of record: JSONValue) -> String? {
    func ownID(_ value: JSONValue) -> String? {
      (value["id"] ?? value["user_id"])?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
    return ownID(record) ?? record.memberList?.lazy.compactMap { ownID($0.value) }.first
  }
}
