// Package experiments shows what settings did that were tried: as text, as JSON
// and as a page with the frontier of time and memory.
package experiments
