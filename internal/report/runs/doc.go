// Package runs shows a run, the value that optimize, find -bench and try make.
// It shows the plan before the first edit, the end as text, Markdown and page,
// the story of an earlier run, and the message of the commit that keeps a
// change.
//
// Ideas that were refuted stand between those that were kept, in the order in which
// they were tried, and in the same form.
package runs
