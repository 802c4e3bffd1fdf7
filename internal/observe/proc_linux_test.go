package observe

import (
	"os"
	"path/filepath"
	"testing"
)

func TestField(t *testing.T) {
	const status = "Name:\tx\nThreads:\t7\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\nbad:\tNaN\n"
	for _, tt := range []struct {
		name string
		want float64
	}{{"voluntary_ctxt_switches:", 150}, {"nonvoluntary_ctxt_switches:", 545}, {"none:", 0}, {"Name:", 0}, {"bad:", 0}} {
		if got := field([]byte(status), tt.name); got != tt.want {
			t.Errorf("%s is %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A control group says what it allows in one of two ways, or not at all.
func TestCoresOf(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"v2", map[string]string{"cpu.max": "150000 100000\n"}, 1.5},
		{"v2 without a limit", map[string]string{"cpu.max": "max 100000\n"}, 0},
		{"v1", map[string]string{"cpu.cfs_quota_us": "200000\n", "cpu.cfs_period_us": "100000\n"}, 2},
		{"v1 without a limit", map[string]string{"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n"}, 0},
		{"neither", nil, 0},
		{"damaged", map[string]string{"cpu.max": "1"}, 0},
	} {
		dir := t.TempDir()
		for name, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := coresOf(dir); got != tt.want {
			t.Errorf("%s: %v cores, want %v", tt.name, got, tt.want)
		}
	}
}

func TestReadThrottling(t *testing.T) {
	for text, want := range map[string]throttling{
		"usage_usec 1\nnr_periods 100\nnr_throttled 7\nthrottled_usec 1500\n": {100, 7, 1.5e6}, // version 2
		"nr_periods 100\nnr_throttled 7\nthrottled_time 1500\n":               {100, 7, 1500},  // version 1
		"": {},
	} {
		name := filepath.Join(t.TempDir(), "cpu.stat")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readThrottling(name); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
