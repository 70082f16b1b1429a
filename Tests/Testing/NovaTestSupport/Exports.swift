// The manual clock and the raw servers, which users have too: whoever imports the tests' support has them all.
@_exported public import NovaTesting
