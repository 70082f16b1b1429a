import DailyReport
import NovaSDK

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

let result = await Job(environment: APIConfiguration.processVariables()).run()
if let line = result.output { print(line) }
// The status of the process is the status of the job: cron, systemd and orchestrators read nothing else.
exit(result.status)
