//go:build !linux

package admin

// started is not known without a system's own means.
func started() (float64, bool) { return 0, false }
