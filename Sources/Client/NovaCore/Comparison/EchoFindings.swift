/// What a comparison of a response with its request has found. A class, because every call carries a reference and hardly
/// any has findings.
final class EchoFindings: Sendable {
  let lost: [FieldDescriptor]
  /// The names of the fields that the server changed.
  let changed: [String]
  let warnings: [String]
  let record: (any ProtoMessage)?
  /// The type of a record in the response that lacks its id.
  let recordWithoutID: MessageDescriptor?
  /// Another record than the one that the request names.
  let otherRecord: OtherRecord?
  /// The failure that the response reports in its field `error`, in place of what was requested.
  let failure: ErrorStatus?

  /// - Parameter doubt: a further warning.
  init(_ check: EchoCheck?, doubt: String? = nil) {
    lost = check?.lost ?? []
    warnings = (check?.warnings ?? []) + [doubt].compactMap(\.self)
    (record, recordWithoutID) = (check?.record, nil)
    changed = check?.changed.map(\.name) ?? []
    otherRecord = check?.otherRecord
    failure = nil
  }

  /// A response that cannot be used.
  init(recordWithoutID type: MessageDescriptor) {
    (lost, changed, warnings, record, recordWithoutID) = ([], [], [], nil, type)
    (otherRecord, failure) = (nil, nil)
  }

  /// A response about another record.
  init(_ other: OtherRecord) {
    (lost, changed, warnings, record, recordWithoutID) = ([], [], [], nil, nil)
    (otherRecord, failure) = (other, nil)
  }

  /// A response that is a failure.
  init(_ failure: ErrorStatus) {
    (lost, changed, warnings, record, recordWithoutID) = ([], [], [], nil, nil)
    (otherRecord, self.failure) = (nil, failure)
  }
}

extension EchoFindings {
  /// Compares a response with its request.
  ///
  /// - Returns: nil if there is nothing to report, as for most calls.
  static func find(
    in response: some ProtoMessage, to request: some ProtoMessage, body: [UInt8], of rpc: RPCDescriptor
  ) -> EchoFindings? {
    if let record = RecordCheck(response).recordWithoutID ?? rpc.createdRecordWithoutID(in: response) {
      return EchoFindings(recordWithoutID: record)
    }
    var doubt: String?
    if let named = rpc.namedItems {
      if let other = OtherRecord(in: response, to: request, naming: named) { return EchoFindings(other) }
      doubt = OtherRecord.surplus(in: response, to: request, naming: named)
    }
    if let named = rpc.namedRecord {
      if let other = OtherRecord(in: response, to: request, naming: named) { return EchoFindings(other) }
      doubt = OtherRecord.doubt(about: response, to: request, named)
    }
    let check =
      EchoCheck.applies(to: rpc) ? EchoCheck(of: rpc, request: request, response: response, body: body) : nil
    return doubt == nil && check?.isClean != false ? nil : EchoFindings(check, doubt: doubt)
  }
}
