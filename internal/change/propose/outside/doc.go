// Package outside asks programs of the user for changes.
//
// A Command is such a program. It gets one Request as JSON on its standard
// input: a function that costs, what it costs, and what was tried. It answers
// on its standard output with unified diffs and a reason for each, as text or
// as JSON (parse).
//
// The program is the user's choice, so it has the network. It has nothing
// else: it runs in an empty directory, with those variables of the environment
// that the user names, and its time and its output are bounded. What it answers
// is a stranger's word. Nothing here applies a diff or believes a reason.
//
// Describe writes down what a reader of a function needs to know of the rest
// of the program: the types that it uses, and who calls it.
package outside
