// Package observe runs programs to see what they do: it turns packages with
// benchmarks, main packages and commands into profile files, a trace, and what
// the system and the collector say. What that means is for others to say.
//
// # Where it builds
//
// It builds in the user's own directory, with the go command's -overlay and -o:
// nothing is copied, and nothing is written there. Binaries and profiles are in
// a directory of the caller's.
//
// # A program from inside
//
// A main package gets one more file, whose only line imports runtime/coverage, and
// that package gets an observer (directory hook). It is in the standard library
// for three reasons. Its frames in a profile are then no lines of the program, and
// its names cannot clash with the program's. Only there can a function be
// registered that runs when the program ends, by os.Exit as well. Nobody else
// imports runtime/coverage, so that nothing else is compiled anew.
//
// The observer writes files that have their names once they are whole, into a
// directory that a variable of the environment names. It takes the variable
// away at once: what the program starts is not observed. The CPU profile comes
// in pieces that grow from a second on, since a crash runs no hook.
//
// The file "stop" in the directory asks the observer to end early.
//
// # A command from outside
//
// A binary that was built elsewhere is run as it is. For a Go binary
// GODEBUG=gctrace=1 is added; its lines are read from standard error and not
// passed on. On Linux /proc is looked at while it runs. The go command is left
// without gctrace, and where another program starts it, by way of PATH, it is
// taken out again: the compilers would inherit it, and the build cache keeps what
// they print.
//
// # Ends
//
// A program runs in a process group of its own, for as long as was asked for. It
// is then asked to end (SIGTERM to the group), and killed where it does not.
// A cancelled context ends it the same way, with the profiles that it has by
// then. When pawl is killed, the system ends the program, on Linux.
package observe
