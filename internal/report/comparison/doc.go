// Package comparison shows what compare or gate found, as text, Markdown, JSON and page.
// The first line is the answer; it begins with the worst that is so, and says of how
// many benchmarks it could not be told.
package comparison
