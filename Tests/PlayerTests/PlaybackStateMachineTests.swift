import Player
import Testing

/// Every state with every input: what the table does not name changes nothing.
@Suite struct PlaybackStateMachineTests {
    @Test(arguments: MachineTable.states)
    func everyInputDoesWhatItsRowSays(state: MachineTable.State) {
        for (name, input) in MachineTable.inputs {
            var machine = state.machine
            let actions = machine.handle(input)
            let isNothing = actions.isEmpty && machine.shown == state.machine.shown
            let outcome = isNothing ? nil : MachineTable.text(machine, actions)
            #expect(outcome == MachineTable.rows[state.name]?[name], "\(state.name) \(name)")
        }
    }

    @Test(arguments: MachineTable.states)
    func commandsThatAreIdempotentAre(state: MachineTable.State) {
        for input in [PlaybackInput.play, .pause, .stop] {
            var machine = state.machine
            _ = machine.handle(input)
            let once = machine
            #expect(machine.handle(input).isEmpty && machine == once, "\(state.name) \(input)")
        }
    }

    @Test(arguments: MachineTable.states)
    func noEventChangesWhatTheUserWishes(state: MachineTable.State) {
        for (name, input) in MachineTable.inputs where !MachineTable.commands.contains(name) {
            var machine = state.machine
            _ = machine.handle(input)
            #expect(machine.wish == state.machine.wish, "\(state.name) \(name)")
        }
    }

    @Test func outputsRunOnlyWhilePlayingIsWished() {
        for state in MachineTable.states {
            for (name, input) in MachineTable.inputs {
                var machine = state.machine
                _ = machine.handle(input)
                #expect(!machine.isRunning || machine.wish == .playing, "\(state.name) \(name)")
                #expect(machine.phase != .playing || machine.isRunning, "\(state.name) \(name)")
            }
        }
    }

    @Test func aSeekWaitsForTheDecoder() {
        var machine = PlaybackStateMachine()
        _ = machine.handle(.play)
        #expect(machine.handle(.seek(to: 30)) == [])
        #expect(machine.handle(.opened(isSeekable: true)) == [.seek(to: 30)])
        #expect(machine.opening?.seekTarget == 30)
    }

    @Test func aSeekThatCannotBeIsForgotten() {
        var machine = PlaybackStateMachine()
        _ = machine.handle(.play)
        _ = machine.handle(.seek(to: 30))
        #expect(machine.handle(.opened(isSeekable: false)) == [])
        #expect(machine.opening?.waitingSeek == nil && machine.opening?.isSeeking == false)
    }

    @Test func seekingWhileStoppedSetsWherePlayBegins() {
        var machine = PlaybackStateMachine()
        #expect(machine.handle(.seek(to: 30)) == [])
        #expect(machine.handle(.play) == [.open(at: 30)])
    }

    @Test func aPausedItemThatFailedIsTriedAgainWhereItWas() {
        var machine = MachineTable.machine(after: MachineTable.playing + [.pause, .failed(at: 40)])
        #expect(machine.phase == .paused)
        #expect(machine.handle(.play) == [.open(at: 40)])
    }
}
