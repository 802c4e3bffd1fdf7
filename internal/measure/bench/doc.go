// Package bench turns packages into test binaries, and test binaries into
// samples and profile files. It never decides anything: what a difference
// between two samples means is for others to say.
//
// # From package to sample
//
// Prepare makes a Suite for one module. Build builds a package's test binary
// with go test -c, once; everything after that runs the file. Benchmarks lists
// what it holds. Calibrate finds for each benchmark how many iterations make a
// slice and how the two arms of a comparison are to be run. Both arms use the
// resulting model.Plan. Slice runs one fresh process for the plan's iterations,
// Duet two of them at the same time on one core.
//
// Processes run in the package's own directory with the module's pinned
// environment, each in a process group of its own and with a limit in time
// that only something that hangs will reach. A benchmark that fails, panics,
// calls os.Exit or skips itself gives a *Failure with its exit code and its
// own words.
//
// # The clock
//
// The testing package reads the wall clock. In a duet the arms share a core, so
// a wall clock would see half of any difference; what is compared is CPU time,
// of the timed region only. Prepare therefore patches a copy of the toolchain's
// own testing/benchmark.go: CLOCK_PROCESS_CPUTIME_ID is read wherever testing
// starts, stops and resets its timer. The copy is used through the go command's
// -overlay flag. The places are found in the syntax tree, and each has to be
// there exactly once. The patched package is built once before it is used. On
// any doubt the Suite falls back to the CPU time of whole processes, and says
// so in a warning. See patch.go, and the directory hook for what is put in.
//
// The clock is a system call, about half a microsecond. Start and stop of the
// timer are charged for it, which only shows in benchmarks that stop their
// timer in every iteration: the charge is measured and subtracted, and such a
// plan carries a warning.
//
// Right before the timed region the hooks collect garbage, so that all slices
// begin at one phase of the collector. In a loop with three to sixteen
// collections per slice that took a quarter to a half off the noise.
//
// # Records
//
// Benchmarks print, so figures do not travel over stdout: the hooks write
// records, one line per event, to a descriptor that is named in an environment
// variable. The variables (PAWL_*) are unset and the descriptors closed for
// children before any code of the user runs. A binary that is started without
// them behaves like one with the stock testing package. See record.go.
//
// Names in records have no -N suffix for GOMAXPROCS, so nothing has to be cut
// off names, which may well end in -8 by themselves.
//
// # Links
//
// Where the linker puts functions moves a benchmark by some per cent, so one
// link of each side says little about a small difference of their sources. On
// amd64 most of that is whether a function starts a cache line, so Build has
// the linker align what is timed to 64 bytes (align.go). For the rest
// BuildLinkable keeps the link command of a build, as the go command's action
// graph gives it. It also keeps what the command reads: the list of archives
// and the archives that are not in the build cache. Linker.Link runs it again
// with -randlayout, without the go command and without the tree; Linker.Default
// runs it without the alignment, for what go test would show. See link.go.
//
// # Without hooks
//
// Where there is no patched package (Binary.Stock), the same calls work on
// what testing prints and on rusage. The CPU time of a slice is then that of
// the process less what a process of two iterations takes, as found in
// calibration. Two, because testing runs the set-up of a b.N loop twice as
// soon as there is more than one iteration. Allocations are whole numbers per
// op, rounded down: see RoundedAway. Retained needs hooks.
//
// Bare and Open are for test binaries that were built elsewhere, which are of
// that kind. Differences tells in what settings two of them differ. A
// comparison is then one of builds, not of sources.
//
// # Blind spots
//
// CPU time of child processes is not in the process clock; benchmarks that
// wait for them are compared by wall time. In duets GOMAXPROCS is 1: contention
// between goroutines is not measured there, and benchmarks that call
// RunParallel are compared by wall time under the user's setting. A benchmark
// whose name depends on the number of processors is listed by its name on one.
package bench
