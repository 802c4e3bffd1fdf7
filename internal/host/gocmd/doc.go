// Package gocmd runs the go command and the binaries that it builds.
//
// It is the one place that starts processes on behalf of the user's module. Each
// one gets a process group of its own, so that a cancelled context ends it with
// all that it started. It gets a pinned environment, the same for both arms of a
// comparison, bounded output, and, where asked, one core or a sandbox. It says
// how a process ended and never what its output means.
//
// # Toolchain
//
// New asks the go command found on PATH, in the module's directory, which
// toolchain the module selects, and from then on runs that toolchain's own
// binary with GOTOOLCHAIN=local. A toolchain that was switched to lives in the
// module cache, where the go command refuses overlays ("must not be replaced").
// Pawl then reaches it through a symbolic link outside the cache, which costs
// no rebuild of the standard library.
//
// # Environment
//
// GOWORK is always set, because a copy of a module would otherwise pick up a
// go.work of a parent directory by accident. GIT_* variables are dropped: pawl may
// run from a hook. The user's GOFLAGS stay, but an -overlay in them is taken
// out and merged with pawl's own, since the go command honours one only and
// drops the other silently.
//
// # Without a module
//
// Bare makes a Go for binaries that were built elsewhere. It has the caller's
// environment without GIT_* and PAWL_*, and no go command: none has to be
// installed.
//
// # Families
//
// A process may start others that leave its group and lose their parent. On
// Linux pawl makes itself the parent of such orphans. When a process has ended
// and its group has been killed, pawl looks for what it has not started itself
// and is in another group than its own. It stops and kills that with all its
// descendants. While two processes run, pawl cannot tell which of them an
// orphan belongs to, and kills it when the second ends.
//
// # Temporary directories
//
// What pawl needs outside its own directories for as long as it runs is in a
// Scratch. A pawl that was killed cannot remove its own, so each one removes
// what is held by no process any more before it makes another.
//
// # Sandbox
//
// A Meter that is given two sandboxes starts the processes of the kinds Test
// and Measure in one, and the go command in the other where it compiles. The go
// command runs no code of the module (go generate is never run, cgo's flags are
// on the go command's own list, vet's analyzers are its own). But a C compiler
// or an assembler reads what the module tells it to. The commands go env, go
// list and go mod run outside, since they need the network for modules. Nothing
// that is read outside lies where a test may write; what a test is told to
// write comes out of an Outbox.
//
// Libraries that load packages start the go command themselves. LoaderEnv has its
// compilers started by way of RunTool, which is under landlock.
//
// A whole sandbox is made of Linux namespaces. Pawl starts itself again as a
// cell: the first process of new user, mount, PID, network and IPC namespaces.
// The cell makes all files read-only but those that are named. It hides homes,
// /run, the directories for temporary files, what only root may read, and all
// devices but the harmless ones. It switches on the loopback network, takes a
// keyring of its own, gives up all its rights and filters system calls. Then it
// starts one process after the other on request. So namespaces are made once,
// and a process in them starts like any other: it takes a quarter of a
// millisecond more, and no more CPU time once it runs. Descriptors travel over
// the socket on which requests do; a pidfd tells which number the process has
// outside. When the process ends, the cell kills all that it can see, which in
// a PID namespace is all that can be left. When the socket ends, and so when
// pawl is killed, the cell ends, and the namespace with it.
//
// The kernel keeps limits where that costs nothing; otherwise the cell looks
// four times a second. RLIMIT_CPU is not used: with it, the CPU clock of a
// process, which benchmarks are judged by, moves in steps of a tick.
//
// Where namespaces are forbidden there is a partial sandbox, for those who
// accept one. Instead of namespaces the cell has a landlock domain, which keeps
// files from being written and read. The filter of system calls is the same.
// Bubblewrap would not help there: it needs the same namespaces.
package gocmd
