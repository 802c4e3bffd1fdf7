// Package helper helps tests.
package helper

import (
	"runtime"
	"testing"
)

func Parallel(t testing.TB) {
	runtime.GOMAXPROCS(runtime.NumCPU())
}
