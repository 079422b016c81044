import Testing

@testable import Loader

@Suite struct NetrcTests {
    private func read(_ text: String) -> [String] {
        Netrc(text).entries.map { "\($0.host) \($0.login.user) \($0.login.password)" }
    }

    @Test func entriesStandOnOneLineOrSeveral() {
        let text = """
            # of mine
            machine Nas.example login me password pw
            machine b
              login you account ignored
              password "a \\"b\\" \\\\ c"
            machine h:8443 login x password #hash
            """
        #expect(read(text) == ["nas.example me pw", "b you a \"b\" \\ c", "h:8443 x #hash"])
    }

    @Test func theDefaultAndMacrosGiveNothing() {
        let text = """
            macdef init
            machine evil login a password b

            machine h login me password pw
            default login everybody password secret
            """
        #expect(read(text) == ["h me pw"])
    }

    @Test(arguments: [
        "", "machine", "machine h", "machine h login", "login x password y", "machine \"h", "\0",
    ])
    func whatIsIncompleteGivesNothing(text: String) { #expect(read(text) == []) }
}
