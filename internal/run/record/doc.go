// Package record makes records and checks them: it sets up a copy of the
// module, builds the benchmarks that a record names, and takes their figures.
//
// Take measures and writes a record; that one file is all that it writes into
// the user's tree. It first runs the new record's guardrails and holds its
// directions against what it has just measured: a guardrail that fails on the day
// it is written down guards nothing.
//
// Check does the same for records that are there. Counts are measured in the
// same way both times, so that they compare: in pairs of processes of the same
// binary, with what a slice allocates once taken off. Times are not compared
// here; that takes both versions side by side, which is what pawl compare and
// pawl gate are for.
package record
