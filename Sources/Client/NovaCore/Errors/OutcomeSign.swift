/// A sign in JSON that a call succeeded or failed, in the words of APIs other than the contract's: those of portals,
/// firewalls, storages, and frameworks.
///
/// This is the only list of such words. Each rule decides which kinds count for it.
package enum OutcomeSign: Sendable {
  /// `{"success":true}`, `{"code":0}`, `{"status":"ok"}`
  case success
  /// A member that only a failure has: `{"errors":[…]}`, `{"stackTrace":"…"}`
  case failure
  /// A status or flag of a failure, which records can have as well: `{"status":"failed"}`, `{"ok":false}`
  case failedStatus
  /// A member that describes failures, and sometimes something else: `{"detail":"…"}`, `{"title":"…"}`
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
  /// - Parameter kinds: the kinds that count. A description counts only if no member reports a success.
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
  /// Whether the value is empty.
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
  /// Whether it reports that a call has succeeded, beside or in place of a message of the contract.
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
