// Package experiment tries settings of the build and of the runtime against the
// present ones, on benchmarks or on a program under a load command.
//
// # What is tried
//
// Settings lists what belongs to a name of -try. Settings of the build are built
// like a side of a comparison, and judged on fresh links where the layout of the
// code could make the difference. Settings of the runtime are variables of one
// and the same binary, so that there is no other layout: a copy of the file is the
// second side. What is judged, and how, is what compare does; the error rate is
// split over all questions of the run.
//
// # Limits
//
// Under a load command, each side may run in a control group of its own. Where the
// kernel kills the program as it is at its limit of memory, nothing can be compared.
// Each setting then has to live through three times as many runs as it took until
// that kill.
//
// # What it costs
//
// Beside the change of time stands what is paid for it: the peak of resident
// memory, and the collector's share of the CPU time. Of a setting of the build it is
// the size of the file, the CPU time of the build, and the oldest processor that runs
// it. Package frontier says which settings nothing beats in time and memory, and
// which one to take within a bound on memory.
//
// On benchmarks, GOMAXPROCS is judged by wall time: with one processor, as in duets,
// there is nothing to try. All else is judged as the benchmark is.
package experiment
