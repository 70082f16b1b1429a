import NovaCLI

await Program.main()
