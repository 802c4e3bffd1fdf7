// Package figure turns measured values into words: a change with its interval,
// a count before and after, a machine, a stretch of time. It makes short texts
// from values of the model. Text, Markdown and pages all use these, so that a
// figure reads the same everywhere. What is not known is reported as open,
// never as a number.
package figure
