// Package exit has a TestMain that ends the process.
package exit

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Fprintln(os.Stderr, "no database")
	os.Exit(4)
}

func BenchmarkX(b *testing.B) {
	for b.Loop() {
	}
}
