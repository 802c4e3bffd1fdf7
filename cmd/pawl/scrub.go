package main

import "github.com/pawl-dev/pawl/internal/host/scrub"

// shared returns a copy of what is about to leave pawl, as text, JSON or a
// file for others, without what looks like a secret.
func shared[T any](e *env, v *T) *T {
	out, _ := scrub.Value(scrub.New(e.environ), *v)
	return &out
}
