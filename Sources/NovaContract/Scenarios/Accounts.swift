import NovaAuth
import NovaCore

extension ContractScenario {
  static let accounts = [register, lock]

  private static let register = ContractScenario(
    "auth.register", summary: "An account is registered once, with valid data."
  ) { run in
    let auth = AuthService(client: run.client)
    let ada = try await run.user("ada")
    await run.step("ada's account") { try await ada.auth.getUser(userId: ada.id) }
      .expect { $0.id == ada.id && $0.username == ada.account.username && $0.email == ada.account.email && $0.isActive }
    let password = "pw-\(RandomText.letters(24))"
    await run.step("the address is taken", fails: .conflict) {
      try await auth.register(email: ada.account.email, username: "\(run.prefix)_new", password: password)
    }
    await run.step("the address in capitals is taken", fails: .conflict) {
      try await auth.register(
        email: ada.account.email.uppercased(), username: "\(run.prefix)_new", password: password)
    }
    await run.step("the name is taken", fails: .conflict) {
      try await auth.register(
        email: "\(run.prefix)@contract.example", username: ada.account.username, password: password)
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
}
