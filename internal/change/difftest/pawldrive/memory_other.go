//go:build !linux

package pawldrive

// limitMemory can do nothing here: no limit that the system offers counts what a
// Go program has.
func limitMemory(int64) {}
