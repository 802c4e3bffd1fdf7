// Package trace reads execution traces (runtime/trace, go test -trace,
// /debug/pprof/trace, dumps of a flight recorder) and reports what goroutines
// waited for. It makes a model.Trace from a file, or a pprof profile of one
// kind of waiting.
//
// # How time is divided
//
// Each goroutine is in exactly one state at a time, so that no nanosecond
// counts twice. It runs; it marks or sweeps for the collector, on its own time;
// it is runnable and waits for a processor; it is in a system call; or it waits
// for what the runtime names. Goroutines that the runtime started for itself
// have groups, and no part in the causes; nor have waits of the handler of
// net/http/pprof that takes the trace, and of package testing for its tests.
//
// A goroutine that never runs in the trace is parked, and counted apart: an
// idle pool of a thousand workers would hide everything else. A wait that
// began before the trace, or went on after it, counts for the part that is
// seen. Traces do not have the reason of a wait that began before them; the
// stack tells it.
//
// # Memory
//
// The file is read once, as a stream. A trace consists of generations, which
// the runtime writes about once a second, and the reader needs all of one to
// put its events in order. So memory follows the busiest second of the trace,
// not its length; a generation above maxGeneration is an error. What is
// collected is bounded: stacks, names and start functions have fixed maxima,
// and what is beyond them is counted together, with a warning. Only goroutines
// that are alive at the same time have an entry each.
//
// # Broken files
//
// A trace that ends early, as of a program that was killed, gives what was
// read before, and a warning. A panic of the parser is an error like others.
package trace
