import NovaCapture
import NovaCore
import NovaEvents

extension MockHandlers {
  mutating func addCapture() {
    on(CaptureRPC.createSomething) { request, state in
      let added = state.add(try request.captured(by: state.captureOwner))
      state.emitSomething(.somethingCreated, id: added.id, of: added.userId, text: added.content)
      return added
    }
    on(CaptureRPC.listSomethings) { request, state in
      let paging = try Paging(limit: request.limit, offset: request.skip, of: CaptureRPC.listSomethings)
      let ids = paging.newestFirst(state.capture.ids(of: state.captureOwner))
      return .init(somethings: ids.compactMap { state.capture[$0] })
    }
    on(CaptureRPC.getSomething) { request, state in try state.captured(request.id) }
    on(CaptureRPC.updateMeaning) { request, state in
      var something = try state.captured(request.id)
      // A repeated update changes nothing, not even the time.
      guard !something.meaning.hasSameBytes(as: request.meaning) || !something.isMeaningUserEdited else {
        return something
      }
      something.meaning = request.meaning
      something.isMeaningUserEdited = true
      something.updatedAt = state.captureTime(of: something.id, after: something.updatedAt)
      state.capture.replace(something)
      state.capture.expectNoMeaning(of: something.id)
      state.emitSomething(
        .somethingMeaning, id: something.id, of: something.userId, text: something.meaning)
      return something
    }
    on(CaptureRPC.deleteSomething) { request, state in
      state.capture.remove(try state.captured(request.id))
      return DeleteSomethingResponse()
    }
  }
}

extension MockState {
  /// The owner of the captures in a request: the token's user, or the sample user without a token.
  fileprivate var captureOwner: String { caller ?? sampleUser }

  /// Returns a capture of the owner.
  fileprivate func captured(_ id: Int64) throws(MockFailure) -> Something {
    guard let something = capture[id], something.userId.hasSameBytes(as: captureOwner) else {
      throw .missing("capture", String(id))
    }
    return something
  }
}

extension CreateSomethingRequest {
  /// What a type requires was checked before, by the rules of the contract.
  fileprivate func captured(by owner: String) throws(MockFailure) -> Something {
    let type = contentType.isEmpty ? .text : contentType
    guard ContentType.allCases.contains(type) else {
      let types = ContentType.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid("content_type is \"\(type.rawValue.shortened(to: 40))\"; expected \(types)")
    }
    return Something(userId: owner, content: content, contentType: type, mediaUrl: mediaUrl)
  }
}
