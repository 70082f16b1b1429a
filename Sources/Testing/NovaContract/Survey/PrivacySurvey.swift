import NovaAuth
import NovaContent
import NovaCore
import NovaMedia
import NovaUsers

extension SurveyRun {
  mutating func checkPrivacy(_ me: String) async throws {
    guard checksPrivacy else { return }
    if isReadOnly { try await checkPrivacyOfOthers(me) } else { try await checkPrivacyOfOwn() }
  }

  /// Creates one private record of each kind, and requests it as each reader who may not see it.
  private mutating func checkPrivacyOfOwn() async throws {
    let chosen = LeakSurface.all.filter { isChosen($0.rpc) }
    guard !chosen.isEmpty, var world = try await makeWorld(Set(chosen.flatMap(\.things))) else { return }
    let surfaces = chosen.filter { isSelected($0.rpc) }
    for phase in PrivacyPhase.allCases {
      // The first phase creates what the others need.
      let isNeeded = phase == .open || world.things.contains { $0.traits.phases.contains(phase) }
      guard isNeeded, try await begin(phase, &world) else { continue }
      for reader in phase.readers where reader != .nobody { try await probe(surfaces, in: phase, as: reader, world) }
      if phase == .open {
        try await probeFiles(&world)
        try await probeWithoutToken(surfaces, world)
      }
      try await end(phase, world)
    }
  }

  /// Registers the accounts; nil without two that have a session.
  ///
  /// - Parameter things: what is to be probed.
  private mutating func makeWorld(_ things: Set<PrivateThing>) async throws -> PrivacyWorld? {
    let everything = "everything"
    guard let alice = discovered.account, let bob = discovered.otherAccount else {
      skipProbes(everything, because: "no two accounts could be registered")
      return nil
    }
    guard isLoggedIn, let token = bob.token else {
      skipProbes(everything, because: "registration returned no session")
      return nil
    }
    let third = try await register(alice.username.dropLast() + "c")
    if third?.token == nil { skipProbes("followers", because: "no third account could be registered") }
    let carol = third.flatMap { account in account.token.map { PrivacyWorld.User(account, $0) } }
    return PrivacyWorld(
      alice: PrivacyWorld.User(alice, nil), bob: PrivacyWorld.User(bob, token), carol: carol,
      things: things, marker: "nova" + makeID().filter(\.isHexDigit).suffix(12).lowercased())
  }

  // MARK: Probes

  private mutating func probe(
    _ surfaces: [LeakSurface], in phase: PrivacyPhase, as reader: LeakReader, _ world: PrivacyWorld
  ) async throws {
    guard reader == .nobody || world.user(reader) != nil else { return }
    for probe in LeakProbe.all(surfaces, in: phase, as: reader, world) { _ = try await send(probe, world) }
    for thing in PrivateThing.allCases
    where world.things.contains(thing) && thing.isHidden(from: reader, in: phase) {
      if let reason = world.missing[thing] { skipProbes(thing.traits.name, because: reason) }
    }
  }

  /// Sends a probe, unless its RPC does not work.
  ///
  /// - Returns: whether the answer shows something private; nil without an answer.
  private mutating func send(_ probe: LeakProbe, _ world: PrivacyWorld, reports: Bool = true) async throws -> Bool? {
    let rpc = probe.surface.rpc
    guard works(rpc) || !isSelected(rpc) else {
      skipProbes(rpc.id, because: "no valid request has succeeded")
      return nil
    }
    let check = LeakCheck(probe, world)
    var unsupported: Int?
    let caller = world.user(probe.reader)?.token.map { SurveyCaller.other($0) } ?? .nobody
    let response = try await acting(as: caller) { survey in
      try await survey.probe(rpc, probe.question.message, as: probe.name) { response in
        switch check.verdict(on: response) {
        case .findings(let findings): return reports ? findings : []
        case .unsupported(let status):
          unsupported = status
          return []
        }
      }
    }
    if let unsupported { skipProbes(rpc.id, because: "the gateway does not support it (\(unsupported))") }
    guard let response else { return nil }
    if check.shows(response), let leftover = LeakSurface.leftovers[rpc.id] { leaveBehind("\(leftover) of a leak") }
    return check.shows(response)
  }

  /// Asks without a token. If the gateway then shows everything, it treats such calls as internal.
  private mutating func probeWithoutToken(_ surfaces: [LeakSurface], _ world: PrivacyWorld) async throws {
    let reads = [ContentRPC.getPost.descriptor, UserRPC.getUserSettings.descriptor, UserRPC.getUserProfile.descriptor]
    var things: Set<PrivateThing> = [.settings, .email]
    if world.posts[.privatePost] != nil { things.insert(.privatePost) }
    let samples = LeakProbe.all(
      LeakSurface.all.filter { surface in reads.contains { $0.id == surface.rpc.id } }, in: .open, as: .nobody, world,
      things: things)
    var shown: Set<Bool> = []
    for sample in samples where !shown.contains(false) {
      if let isShown = try await send(sample, world, reports: false) { shown.insert(isShown) }
    }
    guard shown.contains(false) else {
      let reason =
        shown.isEmpty ? "they got no answer" : "the gateway treats them as internal, and shows them everything"
      return skipProbes("callers without a token", because: reason)
    }
    try await probe(surfaces, in: .open, as: .nobody, world)
    if let upload = world.upload { try await probeFile(of: upload, as: .upload, by: .nobody, in: world) }
  }

  /// Reads the file of an upload before it is published, and as that of a private post.
  private mutating func probeFiles(_ world: inout PrivacyWorld) async throws {
    guard let upload = world.upload, isChosen(MediaRPC.completeUpload.descriptor) else { return }
    for reader in [LeakReader.stranger, .follower] {
      try await probeFile(of: upload, as: .upload, by: reader, in: world)
    }
    let request = CreatePostRequest(
      creatorId: world.alice.id, content: "A check of the contract.", privacy: "private", mediaIds: [upload.id])
    guard let post = try await createPost(request, as: "a private post with a file") else { return }
    guard post.privacy == "private" else { return }
    for reader in [LeakReader.stranger, .follower] {
      try await probeFile(of: upload, as: .privatePost, by: reader, in: world)
    }
  }

  private mutating func probeFile(
    of upload: PrivacyWorld.Upload, as thing: PrivateThing, by reader: LeakReader, in world: PrivacyWorld
  ) async throws {
    let user = world.user(reader)
    guard reader == .nobody || user != nil else { return }
    let what = thing == .upload ? "an unpublished upload" : "a private post"
    try await acting(as: user?.token.map { .other($0) } ?? .nobody) { survey in
      try await survey.calls.probeFile(upload.url, as: "the file of \(what), \(reader.names.inRequest)") { response in
        guard response.isSuccess, response.body.bytes == upload.bytes else { return [] }
        let required = "NOT_FOUND or PERMISSION_DENIED"
        return [
          Finding(
            .leak, .breaking, expected: required,
            found:
              "leak: GET of the URL shows the file of \(thing.traits.phrase) to \(reader.names.inFinding); answer \(required)"
          )
        ]
      }
    }
  }
}

extension PrivacyWorld.User {
  fileprivate init(_ account: DiscoveredState.Account, _ token: AccessToken?) {
    self.init(id: account.id, username: account.username, email: account.email, token: token)
  }
}
