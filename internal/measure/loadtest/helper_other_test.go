//go:build !unix

package loadtest

func ignoreTerm() {}
