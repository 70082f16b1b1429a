import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension ContractScenario {
  static let accounts = [register, lock]
  static let tokens = [session, badTokens, others]

  private static let register = ContractScenario(
    "auth.register", summary: "An account is registered once, with valid data."
  ) { run in
    let auth = AuthService(client: run.client)
    let ada = try await run.user("ada")
    await run.step("ada's account") { try await ada.auth.getUser(userId: ada.id) }
      .expect { $0.id == ada.id && $0.username == ada.account.username && $0.email == ada.account.email && $0.isActive }
    let password = "pw-\(RandomText.letters(24))"
    for (name, email, username) in [
      ("the address is taken", ada.account.email, "\(run.prefix)_new"),
      ("the address in capitals is taken", ada.account.email.uppercased(), "\(run.prefix)_new"),
      ("the name is taken", "\(run.prefix)@contract.example", ada.account.username),
    ] {
      await run.step(name, fails: .conflict) {
        try await auth.register(email: email, username: username, password: password)
      }
    }
    let unchecked = auth.with { $0.checksArguments = false }
    for (name, email, username, password) in [
      ("no address", "nobody", "\(run.prefix)_x", password),
      ("an empty address", "", "\(run.prefix)_x", password),
      ("a name of 2 characters", "\(run.prefix)@contract.example", "ab", password),
      ("a name of 33 characters", "\(run.prefix)@contract.example", String(repeating: "a", count: 33), password),
      ("a name with a hyphen", "\(run.prefix)@contract.example", "\(run.prefix)-x", password),
      ("a password of 7 characters", "\(run.prefix)@contract.example", "\(run.prefix)_x", String(password.prefix(7))),
    ] {
      await run.step(name, fails: .invalidArgument) {
        try await unchecked.register(email: email, username: username, password: password)
      }
    }
    await run.step("a missing account", fails: .notFound) { try await ada.auth.getUser(userId: run.missingID) }
  }

  private static let lock = ContractScenario(
    "auth.lock", summary: "Five wrong passwords in a row lock an account; a correct one before that resets the count."
  ) { run in
    let auth = AuthService(client: run.client)
    let ada = try await run.user("ada")
    func tryWrong(_ times: Int) async {
      for time in 1...times {
        await run.step("wrong, \(time)", fails: .unauthorized) {
          try await auth.login(email: ada.account.email, password: "not-\(ada.account.password)")
        }
      }
    }
    await tryWrong(4)
    await run.step("right") { try await auth.login(email: ada.account.email, password: ada.account.password) }
      .expect { $0.userId == ada.id && $0.expiresIn == 3600 }
    await tryWrong(5)
    await run.step("right, but locked", fails: .permissionDenied) {
      try await auth.login(email: ada.account.email, password: ada.account.password)
    }
    await run.step("an unknown address", fails: .unauthorized) {
      try await auth.login(email: "\(run.prefix)@nowhere.example", password: ada.account.password)
    }
  }

  private static let session = ContractScenario(
    "auth.session", summary: "Register, log in, verify, refresh and log out; other sessions stay valid."
  ) { run in
    let auth = AuthService(client: run.client)
    let ada = try await run.user("ada")
    let login = try await run.step("log in") {
      try await auth.login(email: ada.account.email, password: ada.account.password)
    }.expect { $0.userId == ada.id && !$0.refreshToken.isEmpty && $0.expiresIn == 3600 }.value
    let second = ada.with(token: login.token)
    await run.step("the token is good") { try await ada.auth.verifyToken(token: login.token) }
      .expect { $0.isValid && !$0.isRevoked && $0.userId == ada.id && $0.username == ada.account.username }
    let fresh = try await run.step("refresh") { try await auth.refresh(refreshToken: login.refreshToken) }
      .expect { $0.expiresIn == 3600 }.value
    await run.step("the new token is good") { try await ada.auth.verifyToken(token: fresh.token) }.expect { $0.isValid }
    await run.step("a call with it") { try await ada.with(token: fresh.token).users.getUserSettings(userId: ada.id) }
    let current = fresh.refreshToken.isEmpty ? login.refreshToken : fresh.refreshToken
    await run.twice("log out") { try await second.auth.logout(refreshToken: current) }
    await run.step("the token is revoked") { try await ada.auth.verifyToken(token: login.token) }
      .expect { !$0.isValid && $0.isRevoked }
    await run.step("so is the fresh one") { try await ada.auth.verifyToken(token: fresh.token) }.expect { !$0.isValid }
    await run.step("a call with a revoked token", fails: .unauthorized) {
      try await second.users.getUserSettings(userId: ada.id)
    }
    await run.step("no refresh after the end", fails: .unauthorized) { try await auth.refresh(refreshToken: current) }
    await run.step("the first session stays valid") { try await ada.users.getUserSettings(userId: ada.id) }
  }

  private static let badTokens = ContractScenario(
    "auth.bad-tokens", summary: "Malformed and foreign tokens are refused everywhere."
  ) { run in
    let ada = try await run.user("ada")
    let auth = AuthService(client: run.client)
    for (name, token) in [
      ("a word", "nonsense"), ("three words", "a.b.c"), ("a changed token", "\(ada.account.token.secretValue)x"),
    ] {
      let impostor = ada.with(token: token)
      await run.step("\(name) reads", fails: .unauthorized) { try await impostor.graph.getFollowers(userId: ada.id) }
      await run.step("\(name) writes", fails: .unauthorized) {
        try await impostor.content.createPost(creatorId: ada.id, content: "Not me.")
      }
      await run.step("\(name) captures", fails: .unauthorized) {
        try await impostor.capture.listSomethings(ListSomethingsRequest(limit: 100))
      }
      await run.step("\(name) is not valid") { try await ada.auth.verifyToken(token: token) }.expect { !$0.isValid }
      await run.step("\(name) does not refresh", fails: .unauthorized) { try await auth.refresh(refreshToken: token) }
    }
  }

  private static let others = ContractScenario("auth.others", summary: "Users cannot act as another user.") { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let post = try await run.post(of: ada)
    await run.steps(
      fail: .permissionDenied,
      [
        "follow": { try await bea.graph.followUser(followerId: ada.id, followeeId: bea.id) },
        "mute": { try await bea.graph.muteUser(muterId: ada.id, muteeId: bea.id) },
        "block": { try await bea.graph.blockUser(blockerId: ada.id, blockedId: bea.id) },
        "like": { try await bea.social.createLike(postId: post.id, userId: ada.id) },
        "comment": { try await bea.social.createComment(postId: post.id, userId: ada.id, content: "Mine?") },
        "share": { try await bea.social.createShare(postId: post.id, userId: ada.id) },
        "post": { try await bea.content.createPost(creatorId: ada.id, content: "Mine?") },
        "bookmark": { try await bea.content.createBookmark(postId: post.id, userId: ada.id) },
        "upload": { try await bea.media.startUpload(userId: ada.id, fileName: "a.jpg", fileSize: 1) },
      ])
    await run.step("nothing has come of it") { try await ada.social.batchGetPostStats(postIds: [post.id]) }
      .expect { $0.values.allSatisfy { $0.likeCount == 0 && $0.commentCount == 0 && $0.shareCount == 0 } }
  }
}
