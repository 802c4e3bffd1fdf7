// Package memory shows what a process uses its memory for.
package memory
