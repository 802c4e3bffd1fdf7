// Package helper has a TestMain with set-up, and benchmarks that run their own
// binary again.
package helper

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

var ready bool

func TestMain(m *testing.M) {
	if os.Getenv("HELPER") == "1" {
		for _, kv := range os.Environ() {
			if strings.HasPrefix(kv, "PAWL_") {
				os.Stdout.WriteString(kv)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	ready = true
	os.Exit(m.Run())
}

func BenchmarkHelper(b *testing.B) {
	if !ready {
		b.Fatal("TestMain did not run")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HELPER=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for b.Loop() {
	}
}
