// Package metrics reads the runtime metrics of a program over HTTP, several
// times over a stretch of time, and reports what stands out.
//
// # Pages
//
// A page has one of four forms, recognised by its beginning. These are the text
// of Prometheus with the families of client_golang's Go collector, expvar with
// its memstats, and the text of a heap profile (debug=1), which ends with
// runtime.MemStats. The fourth is a JSON object of runtime/metrics:
//
//	{
//	  "/gc/heap/live:bytes": 22884648,
//	  "/sched/latencies:seconds": {"buckets": ["-Inf", 0, 6.4e-08, "+Inf"], "counts": [0, 12, 3]}
//	}
//
// Names are those of runtime/metrics, and so are the two arrays of a histogram;
// infinite bounds are strings, for which JSON has no number. Other members are
// passed over. Whatever the form, figures go by the names of runtime/metrics
// inside this package.
//
// # Figures
//
// Counters give rates, from the difference between the first reading and the
// last. A histogram's quantile is known up to its bucket, whose bounds are given;
// it is of what happened in between. Where a counter falls, the program was
// started again, and only what came after counts.
//
// The runtime's account of CPU time moves at the end of a collection. Its shares
// are of the time from the end of the last collection before the first reading to
// that before the last one, and not known where none ended in between.
//
// # The process
//
// The system knows the process's resident memory, its quota of CPU time and how
// often that was used up. These are read where the process is on this machine:
// the one that listens at the URL's port on a loopback address, or the one that
// is named.
package metrics
