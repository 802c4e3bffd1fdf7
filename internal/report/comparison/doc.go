// Package comparison shows what compare or gate found, as text, Markdown, JSON
// and page. The first line is the answer; it begins with the worst result, and
// counts the benchmarks that stayed undecided.
package comparison
