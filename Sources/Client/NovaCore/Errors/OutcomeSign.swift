/// A sign in JSON that something succeeded or failed, in the words of other APIs than the contract's: those of portals,
/// firewalls, storages, and frameworks.
///
/// The one list of such words. Each rule decides which kinds count in its place.
package enum OutcomeSign: Sendable {
  /// `{"success":true}`, `{"code":0}`, `{"status":"ok"}`
  case success
  /// What only a failure has: `{"errors":[…]}`, `{"stackTrace":"…"}`
  case failure
  /// A status or a flag of a failure, as records have it, too: `{"status":"failed"}`, `{"ok":false}`
  case failedStatus
  /// What describes failures, and sometimes something else: `{"detail":"…"}`, `{"title":"…"}`
  case description

  /// - Returns: nil for any other member.
  package init?(_ member: JSONValue.Member) {
    if member.value.isVoid { return nil }
    if member.isSuccess {
      self = .success
      return
    }
    switch member.name {
    case "error", "errors", "fault", "exception", "errorMessage", "error_message", "errorType", "errorCode",
      "error_code", "error_description", "stackTrace", "stack", "traceback":
      if member.value.isNo { return nil }
      self = .failure
    case "detail", "details", "title":
      if member.value.isNo { return nil }
      self = .description
    case "success", "ok", "status", "statusCode", "status_code", "code":
      guard let sign = Self(status: member.value, isFlag: ["success", "ok"].contains(member.name)) else { return nil }
      self = sign
    default: return nil
    }
  }

  private init?(status: JSONValue, isFlag: Bool) {
    if isFlag {
      guard status.isNo || status.isTrue else { return nil }
      self = status.isNo ? .failedStatus : .success
    } else if let number = status.integerValue {
      guard number >= 200 else { return nil }
      if number >= 400 { self = .failedStatus } else if number < 300 { self = .success } else { return nil }
    } else {
      switch status.stringValue?.lowercased() {
      case "error", "fail", "failed", "failure": self = .failedStatus
      case "ok", "success": self = .success
      default: return nil
      }
    }
  }

  /// Whether members report a failure in place of what was expected.
  ///
  /// - Parameter kinds: those that count. A description does only if nothing reports a success.
  package static func isFailure(_ members: [JSONValue.Member], by kinds: Set<OutcomeSign>) -> Bool {
    let signs = Set(members.compactMap(OutcomeSign.init))
    if kinds.contains(.failedStatus), isOfGRPC(members) { return true }
    return !signs.isDisjoint(with: kinds.subtracting([.description]))
      || kinds.contains(.description) && signs.contains(.description) && !signs.contains(.success)
  }

  /// Whether members are a status of gRPC other than OK: a number alone can be anything.
  private static func isOfGRPC(_ members: [JSONValue.Member]) -> Bool {
    members.contains { $0.name == "message" }
      && members.contains { $0.name == "code" && $0.value.integerValue.flatMap(GRPCStatus.init(failure:)) != nil }
  }
}

extension JSONValue {
  /// Whether the value says nothing.
  var isVoid: Bool {
    switch self {
    case .null, .string(""), .array([]), .object([]): true
    default: false
    }
  }

  fileprivate var isTrue: Bool { self == .bool(true) || integerValue == 1 || stringValue == "true" }
  fileprivate var isNo: Bool { self == .bool(false) || integerValue == 0 || stringValue == "false" }
}

extension JSONValue.Member {
  /// Whether it says that a call has succeeded, beside or in place of a message of the contract.
  var isSuccess: Bool {
    switch name {
    case "success": return value.isTrue
    case "error": return value.isNo || value["code"]?.integerValue == 0
    case "code":
      let code = value.integerValue
      return code == 0 || code.map { (200..<300).contains($0) } == true || ["OK", "0"].contains(value.stringValue)
    default: return false
    }
  }
}
