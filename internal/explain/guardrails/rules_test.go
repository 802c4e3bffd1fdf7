package guardrails

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func everything(string) bool { return true }

// A rule is written only where all that it asks for is there.
func TestFor(t *testing.T) {
	rules, without := For(everything)
	if len(without) != 0 || len(rules) < 12 {
		t.Fatalf("%d rules, without %v", len(rules), without)
	}
	for _, r := range rules {
		if r.For != "" && (r.Summary == "" || r.Try == "") {
			t.Errorf("%s does not say what it means", r.Name)
		}
	}
	old := []string{"go_goroutines", "go_memstats_alloc_bytes_total", "go_memstats_heap_inuse_bytes", "process_start_time_seconds"}
	rules, without = For(func(m string) bool { return slices.Contains(old, m) })
	var buf bytes.Buffer
	if err := Write(&buf, rules, without); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"go_sched", "go_cpu", "go_gc"} {
		if strings.Contains(strings.Split(buf.String(), "\n#")[0], m) && m != "go_gc_" {
			t.Errorf("a rule asks for %s, which is not there:\n%s", m, &buf)
		}
	}
	if !slices.Contains(without, "GoCollectorBusy") || slices.Contains(without, "GoGoroutinesGrow") {
		t.Errorf("without %v", without)
	}
	if rules, without = For(func(string) bool { return false }); len(rules) != 0 || Write(&buf, rules, without) != nil {
		t.Errorf("%v", rules)
	}
}

// The tools of Prometheus take the rules; each alert fires on the bad series and is silent
// on the good ones.
func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("there is no promtool here: Debian's package prometheus has it")
	}
	dir := t.TempDir()
	var buf bytes.Buffer
	rules, without := For(everything)
	if err := Write(&buf, rules, without); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rules.yml"), buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	series, err := os.ReadFile("testdata/series.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "series.yml"), series, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if r.For != "" && strings.Count(string(series), "alertname: "+r.Name+"\n") < 2 {
			t.Errorf("testdata/series.yml does not test %s on both", r.Name)
		}
	}
	for _, args := range [][]string{{"check", "rules", "rules.yml"}, {"test", "rules", "series.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}
