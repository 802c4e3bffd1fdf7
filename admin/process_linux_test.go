package admin

import (
	"math"
	"syscall"
	"testing"
)

// A program's name may look like the fields behind it, and what is not there is not made up.
func TestStarted(t *testing.T) {
	const fields = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 250 20"
	for _, tt := range []struct {
		self, system string
		want         float64
		ok           bool
	}{
		{"7 (api)" + fields, "cpu 1\nbtime 1000\nprocesses 3\n", 1002.5, true},
		{"7 (a) S 1 (b)" + fields, "cpu 1\nbtime 1000", 1002.5, true},
		{"7 (api) S 1 2", "cpu 1\nbtime 1000\n", 0, false},
		{"7 (api)" + fields, "cpu 1\n", 0, false},
		{"", "", 0, false},
	} {
		if got, ok := startedBy([]byte(tt.self), []byte(tt.system)); got != tt.want || ok != tt.ok {
			t.Errorf("%q, %q: %v, %v", tt.self, tt.system, got, ok)
		}
	}
}

// The page has the process' CPU time as the system counts it, and a start before now.
func TestProcess(t *testing.T) {
	_, families := exposed(t)
	cpu, start := families["process_cpu_seconds_total"], families["process_start_time_seconds"]
	if cpu == nil || start == nil {
		t.Fatal("no process_cpu_seconds_total or process_start_time_seconds")
	}
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		t.Fatal(err)
	}
	if at := start.samples[0].value; at > float64(now.Sec)+1 || math.IsNaN(at) || at < float64(now.Sec)-86400 {
		t.Errorf("started at %v, and it is %d", at, now.Sec)
	}
	if spent, ok := processCPU(); !ok || cpu.samples[0].value <= 0 || cpu.samples[0].value > spent {
		t.Errorf("%v s of CPU time, and %v s a moment later", cpu.samples[0].value, spent)
	}
}
