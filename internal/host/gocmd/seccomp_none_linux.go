//go:build !amd64 && !arm64

package gocmd

// filterCalls does nothing: the numbers of calls are known for two architectures.
func filterCalls(bool) error { return nil }
