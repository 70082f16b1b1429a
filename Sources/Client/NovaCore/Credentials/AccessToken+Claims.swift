extension AccessToken {
  /// The user that the token names, if it is a JSON Web Token: its claim `sub`. The signature is not checked, so this is
  /// for telling users apart on this machine, and for no permission.
  package var claimedUser: String? {
    let parts = secretValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let payload = Base64.decodeLeniently(ArraySlice(parts[1].utf8))
    guard let json = try? JSONValue(jsonUTF8: payload), case .string(let user)? = json["sub"], !user.isEmpty else {
      return nil
    }
    return user
  }

  /// The same token as that of the user it names, unless its user is known.
  var withClaimedUser: AccessToken { user == nil ? belonging(to: claimedUser) : self }
}
