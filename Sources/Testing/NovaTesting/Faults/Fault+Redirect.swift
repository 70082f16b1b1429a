import NovaCore

extension Fault {
  /// Every path below it redirects to itself, whatever the server's steps are.
  static let loopPath = "/redirect-loop"

  /// 307 to a path that redirects to itself.
  public static let redirectLoop = Fault(
    "redirect-loop", "307 to a path that redirects to itself.", kind: .redirect, executes: false
  ) { try $0.redirect(307, to: $0.origin + loopPath) }

  /// 302 to the same path on the same server.
  public static let redirect302 = redirect(302)
  /// 303 to the same path on the same server.
  public static let redirect303 = redirect(303)
  /// 307 to the same path on the same server.
  public static let redirect307 = redirect(307)
  /// 308 to the same path on the same server.
  public static let redirect308 = redirect(308)
  /// 302 to the same path on another port.
  public static let redirectToOtherOrigin302 = redirectToOtherOrigin(302)
  /// 307 to the same path on another port.
  public static let redirectToOtherOrigin307 = redirectToOtherOrigin(307)
  /// 308 to the same path on another port.
  public static let redirectToOtherOrigin308 = redirectToOtherOrigin(308)

  private static func redirect(_ status: Int) -> Fault {
    Fault("redirect-\(status)", "\(status) to the same path on the same server.", kind: .redirect, executes: false) {
      try $0.redirect(status, to: $0.origin + $0.redirectedTarget)
    }
  }

  private static func redirectToOtherOrigin(_ status: Int) -> Fault {
    Fault(
      "redirect-other-origin-\(status)", "\(status) to the same path on another port.", kind: .redirect, executes: false
    ) { try $0.redirect(status, to: $0.otherOrigin + $0.redirectedTarget) }
  }

  static let redirectFaults = [
    redirectLoop, redirect302, redirect303, redirect307, redirect308, redirectToOtherOrigin302,
    redirectToOtherOrigin307, redirectToOtherOrigin308,
  ]
}

extension FaultExchange {
  fileprivate var redirectedTarget: String {
    let target = request?.url.target ?? "/"
    return target + (target.contains("?") ? "&" : "?") + "redirected=1"
  }
}
