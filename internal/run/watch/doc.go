// Package watch captures profiles and runtime metrics of programs that run, again and
// again, into a ring for each (keep/ring). It hands on what was kept as profile files,
// and compares two programs that do the same work side by side.
//
// A round takes the CPU profile first, and the others one by one while that goes on, so
// that what they cost the program is in its CPU profile. A round that gives nothing, a
// restart of the program and a time without pawl are kept as gaps.
package watch
