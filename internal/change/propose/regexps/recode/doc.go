// Package recode turns regular expressions into the source text of Go functions
// that match the same. From a pattern of package regexp it makes code that a
// person could have written, or an error that says what in the pattern prevents
// it.
//
// # What is supported
//
// Patterns made of literals, classes, groups, alternatives and repetition, with
// ^ before and $ after them or not. A class holds ASCII only, or all of what is
// not ASCII: those are the classes that can be told by looking at bytes, whether
// they are valid UTF-8 or not. One of the second kind, such as [^/] or the dot, is
// supported in a repetition without bounds only, since elsewhere characters
// would have to be counted. A pattern without ^ is tried at each byte, where
// that takes linear time (anywhere.go). What is replaced must be one character of
// a class, or a run of them (replace.go).
//
// # Why the code is right
//
// Package regexp prefers, among all ways to match, the one that a backtracking
// matcher would find first. Generated code never goes back over a decision. At
// each one (is the optional part taken, is the loop run once more, which
// alternative is it?) it takes the preferred way if that part is there, and, where
// needed, if the byte behind it is one that the rest can begin with. That is right
// if there is no text for which the part is there, the rest does not match after
// it, and another way would match. Whether there is such a text is decided before
// any code is written (prove.go). There are three finite automata over bytes: one
// for the texts in which the part is found, one for the other ways, one for the
// preferred way. A search through their product finds a text in the first two and
// not in the third, or finds that there is none. A pattern for which there is one
// is refused, and so is one for which the search is long.
//
// As with package regexp, the time is linear in the length of the text. Each
// loop moves on. Text that an optional part has looked at in vain is looked at
// again at most once for each such part of the pattern. Where a loop could look
// in vain again and again, the pattern is refused.
//
// # Checking it again
//
// The proof is about automata, not about the text that was written. So Inputs
// makes texts from a pattern, and Program is the source of a program that runs
// the pattern and the generated function on them and says where they differ.
package recode
