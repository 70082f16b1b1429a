import NovaLibc
import NovaTestSupport

extension ProgramRun {
  /// Whether it has stopped itself with SIGSTOP.
  var isStopped: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(processIdentifier), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
  }
}
