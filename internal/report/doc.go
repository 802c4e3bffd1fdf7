// Package report is the room of all that a person or a program is shown. It has no
// code of its own; each noun has a package, with its text, its page and its other
// forms side by side. They format and never decide: whether something is faster is in
// the verdict, whether it was kept is in the outcome, and the words here follow
// those fields even where the figures seem to differ.
//
//	runs        a run of optimize, find -bench or try: plan, end, story, commit message
//	comparison  what compare or gate found: the answer is on the first line
//	diagnosis   what profiles, runs, metrics and traces say about a program
//	findings    what the rules found
//	scores      how pawl does on a corpus of real commits
//	records     hot paths on record, and what a check found of them
//	journal     earlier runs and comparisons
//	progress    the line on standard error while pawl works
//
// These lay out text on a sheet and pages in a frame, and take their words from
// figure:
//
//	sheet   text for a terminal: width, columns, colours
//	page    what all pages share; in it flame graphs, plots of verdicts, and code
//	figure  measured values in words
//	data    values for programs: JSON, and files to take along
//	quote   text that others wrote, as it may be shown
//
// # Rules of the text
//
// Figures have three digits and the unit that fits them: ns, µs, ms; B, KiB,
// MiB. Changes carry their sign. An interval follows the change that it belongs
// to, in brackets; counts do not vary, and have "exact" in its place. Every claim
// is made "in this benchmark", because that is all that was measured.
//
// Text written elsewhere, by compilers, tests and file names, is shown without
// its control characters, so that no output of a tested program can move the
// cursor of the reader's terminal.
//
// # What the caller provides
//
// Width, colour and the character set come in as sheet.Options. No package here
// looks at a terminal or at an environment variable.
//
// The tests of this package look at whole pages of all kinds, some of them in a
// real browser.
package report
