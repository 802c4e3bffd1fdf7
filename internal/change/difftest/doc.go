// Package difftest runs the base and the candidate of changed functions side by
// side, in one process, on the same inputs, and compares everything that a
// caller can see.
//
// Tests that pass say that the tests pass. What a performance change breaks is
// mostly what no test asks for: a buffer that is used again while somebody
// still reads it, an empty slice that became nil, an error that lost its
// cause. So the old code is kept as the oracle.
//
// # How both get into one program
//
// The tree holds the candidate. NewPlan compares the declarations of both versions
// of the changed packages, and writes an overlay for the go command, which adds
// to the candidate
//
//   - a copy of each changed function as it was (pawl0F), and one as it is
//     (pawl1F), beside the function itself;
//   - a hook as the first statement of the function, by which the package
//     pawldrive records what it is called with;
//   - a benchmark that runs after all others and calls pawldrive.Drive, which
//     drives both copies on clones of what was recorded and on inputs made from
//     it.
//
// A copy calls the copies of its own side by name. It may reach a changed
// function in another way, through an interface, a function value, an
// unchanged function or another package. Then the hook of that function leads
// back: while the base is driven it calls the base's copy. So no unchanged
// code has to be copied.
//
// Variables and constants that differ, and what the candidate does not have any
// more, are copied too, under the base's prefix. One that functions write to is
// shared instead, since what tests have put there has to be there for both; a
// sync.Pool is not. A struct that only gained
// fields serves both sides. A type that changed otherwise is copied when it is
// internal to the copies; a function that takes or returns it cannot be driven,
// and is named with that reason. The overlay is type-checked before it is
// built; a copy that does not compile beside the candidate is left out, and so
// are the functions that need it.
//
// A branch that the candidate has no more is watched in the base's copy: one that
// no input takes is named, and is a difference where it returned an error or
// guarded an index. Files of the main module that ask for the time or for random
// numbers ask package pawldrive in the overlay, in text alone and after all
// checks.
//
// The package pawldrive is written into GOROOT/src by the overlay, for any
// module to import. Its own documentation says how inputs are recorded, copied,
// varied and compared.
//
// # What a run does
//
// Plan.Build builds the test binaries of the packages it is given, for which the
// tree must hold the candidate. Plan.Run needs the tree no more: it runs all their
// tests and benchmarks for a few iterations, and takes in the records. A test
// that fails or hangs when it runs with hooks is left out and the run repeated.
// Tests that have not begun when the time for recording is over are left out
// too; package testing is patched in two places for that. Functions that -short
// tests do not reach get a second run with the long ones, or, where tests were
// left out, with the benchmarks alone. When the process dies, the input is named
// with its last output, and the run is repeated without it; after a second one,
// without the rest of that phase. It is a difference where the stacks show that
// the candidate ended the process on an input that the base returned from.
//
// A process that drives may take some memory more than it has then, by a limit that
// the kernel keeps (RLIMIT_DATA, Linux). Where the base allocated a quarter of that
// for the same input, the candidate's death of it is no difference. What a process
// may take is counted in time of its own, so that a busy machine takes nothing from
// it; a wall time of three times as much is the end. Where the race detector
// builds, calls at the same time on one receiver follow; what the base does not
// allow is not asked of the candidate.
//
// Functions that no test and no benchmark calls, that have no Go body, take
// channels, or whose signature changed are not driven. They are in the answer
// with the reason: what could not be compared lowers what the verdict may say.
// A struct whose fields changed is another type to the driver. Others do not see that: they make
// one by an exported function, and call its methods. So both sides get a function that takes a
// history of such calls, hooks note what tests and benchmarks call in which order, and the
// function is driven as their caller. Where a value was changed by what cannot be noted, its
// history is no input, and a benchmark that judges says so.
//
// For one that takes a channel, up to three exported functions are driven that call
// it or its callers, in any package of the module. With Config.Callers they are driven for
// each that is not exported: one that differs when it is called alone, and not through them,
// is marked so. Of a caller's pairs those count that get to the function. Where the tests do not name a changed function, those of two packages that
// import its package record, too.
//
// # What variations cost
//
// Of the time for driving: short texts that are cut take an eighth of the pairs, at
// most 512. Odd texts take one generated input in four, values that are alike but for
// one place one in 16. Recorded inputs with a time take one pair in eight, with
// awkward moments. Two sequences in three are played once more with arguments in the
// memory of the call before. Callers that the tests do not have take 8 %. A receiver that
// one method fills is one in twelve of those that are set up, and none once a
// filling takes 50 ms. The spread of random results takes 2000 calls, a second at
// most, for each part that varies; memory that results keep takes 128 calls and
// eight collections. Calls at the same time are four goroutines of eight turns each.
// Two more runs of the base follow where only the change raced.
package difftest
