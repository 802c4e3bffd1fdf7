//go:build !unix

package load

func ignoreTerm() {}
