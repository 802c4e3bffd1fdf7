// Command campaign finds out how often the judge is right: on benchmarks that
// other people wrote, on a load that is generated and stated, beside benchstat
// at the same CPU time. It is no part of pawl; the figures in docs/judge.md are
// what it printed.
//
//	go run ./internal/lab/campaign prepare     modules, pawl and benchstat into the work directory
//	go run ./internal/lab/campaign calibrate   how large the injected effects are
//	go run ./internal/lab/campaign layout      what the order of functions alone does, at two alignments
//	go run ./internal/lab/campaign beside      what a build beside duets does to them
//	go run ./internal/lab/campaign aa          equals: wrong claims, and 5 % beside them: power
//	go run ./internal/lab/campaign same        one source, injected 2 % and 5 %
//	go run ./internal/lab/campaign different   two sources, injected 2 % and 5 %, layout stage on
//	go run ./internal/lab/campaign gate        gates over twenty benchmarks
//	go run ./internal/lab/campaign overhead    time outside benchmark slices
//	go run ./internal/lab/campaign replay      gates drawn from the A/A duets that were measured
//	go run ./internal/lab/campaign table       all of it as Markdown
//	go run ./internal/lab/campaign keep        the duets as text, for the tests of this package
//	go run ./internal/lab/campaign pictures    the pictures of docs/judge.md
//	go run ./internal/lab/campaign load        the load alone, until it is killed
//
// Each verb appends one JSON line for each finished comparison to results.jsonl
// in the work directory, and a rerun goes on after the last of them. Every choice
// follows from -seed.
//
// # The load
//
// On an idle machine everything works, benchstat included. So there are
// workers, at normal priority, that do what neighbours do: bursts of
// arithmetic, copying of memory, short sleeps and starts of processes. Their
// phases of work and rest last from half a second to twenty. The phases follow
// from the seed, so that a rerun meets the same load in distribution, though
// not the same moments. The share of a CPU that the load took, the load average
// and the pressure-stall figure are kept with each result.
//
// # The equals
//
// Two builds of one source are one program: no tool could tell them apart, and
// comparing them proves little. The second arm of an A/A comparison is
// therefore the same source plus one function that is never called, of 1 to 33
// statements, at a random place of the package. What runs is the same; where
// the linker puts it is not. Pawl's own screen, which would see that the code is
// equal, is switched off.
//
// # The injected effects
//
// The loop of each benchmark calls a function of the package that makes some
// steps of arithmetic, none in the base. How many is a number in a string of
// the program, so that two arms of one source are one file, but for six bytes:
// the code is the same at the same places. Two arms of different sources have
// that number changed in the source, and beside it a function that is never
// called. The injected effect is then the one that was measured on one program,
// and the layouts differ as those of two sources do. The step function stands
// in no test file, because a comparison uses the base's test files on both
// sides.
//
// A nominal effect is not a real one. The effect is what a long run of duets
// under the same load says it is, and is printed with its interval.
//
// # Benchstat
//
// It is run the way its documentation asks: -count=10 of the old binary, then
// of the new one. The iterations are chosen so that both blocks together use
// the CPU time that pawl spent on this very comparison. That is all from its
// calibration to its last guard, links included; building the two binaries is
// in neither. Benchstat runs after pawl, since pawl's time is its budget. Some
// comparisons are run a third time with the usual -benchtime of one second,
// before or after the others as is drawn. A claim is p < 0.05.
//
// # The tables
//
// Any tool wrongly tells equals apart in some comparisons. The tables say how
// often, with exact binomial intervals. Beside it they say how often an effect
// of 5 % was found in the same campaign: always saying “undecided” is no way to
// look good. These comparisons count in the table of two sources too, for that
// is what they are.
package main
