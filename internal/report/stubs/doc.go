// Package stubs shows a benchmark that pawl bench-stub wrote, as text.
package stubs
