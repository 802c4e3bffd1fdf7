// Package metrics shows what a program's runtime reports about itself, and what stands
// out of it.
package metrics
