// Package store keeps what pawl found out: the journal, the runs and a cache,
// all below one directory, .pawl in the user's module. Another room makes that
// directory and tells git to ignore it; this one only fills it.
//
//	.pawl/
//	  journal.jsonl                 what was tried, one event per line, never rewritten
//	  runs/20260102T150405-optimize/
//	    run.json                    the model.Run, as -json prints it
//	    comparison.json             instead of it, the model.Comparison of compare and gate
//	    samples/NAME.base.txt       samples as benchfmt text, one file per arm
//	    samples/NAME.candidate.txt
//	    profiles/                   pprof files
//	    diffs/                      one unified diff per attempt
//	    report.html
//	    pending.json                a change that is about to be kept
//	    lock                        held while a process is at work on the run
//	  cache/                        may be deleted at any time
//
// # The journal
//
// The journal answers one question that nothing else can: has this idea been
// tried here before? Refuted ideas stay in it with their figures, so nobody
// pays for the same measurement twice. That makes it worth more care than a
// log:
//
//   - An event is one line, written by one write to a file opened for append,
//     and synced before Append returns. A kill loses the line that was being
//     written and no other.
//   - A torn last line is not repaired. The next append starts on a fresh
//     line, and readers skip what they cannot parse and say so with a warning.
//   - Several pawls may run in one module. Appends take a lock on the journal
//     itself, where the system has flock(2); the lock goes with the process,
//     so a kill leaves nothing to clean up. On other systems there is only the
//     append flag between two writers.
//
// The journal is opened anew for each append. It can be deleted while pawl
// runs, and no handle has to be closed.
//
// # Runs
//
// run.json is replaced, not appended to: written beside itself, synced and
// renamed, so that a reader sees the old one or the new one whole. A run whose
// run.json is missing was killed before its first Save; List says so and goes
// on.
//
// A run belongs to one process at a time: NewRun and OpenRun take a lock in its
// directory, which goes with the process, and the file says who has it. Pasts reads
// off the journal what became of each run, so that one that was killed can go
// on. A change that will be kept is noted in pending.json before anything else
// is written: between its commit and its line in the journal a kill loses
// neither.
//
// All files are the owner's alone, 0600 in directories of 0700.
//
// # Figures that are not numbers
//
// An interval that is still open has an end at infinity, and JSON has no word
// for it. Infinity is stored as ±1.7976931348623157e308, the largest float64,
// and read back as that; a figure that is not a number is stored as zero, the
// value of what was not measured. Save and Append never fail because of either.
package store
