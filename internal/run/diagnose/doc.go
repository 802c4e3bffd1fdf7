// Package diagnose is the verb: it finds out what each target is (a file, a URL, a
// package, a command), reads or observes it, and puts the results of the rooms
// into one diagnosis. What a profile means is for internal/explain/diagnose to
// say.
//
// Files are read first, then URLs are asked, then packages or a command are run.
// Metrics are read from the beginning, beside all of that.
package diagnose
