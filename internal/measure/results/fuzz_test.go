package results

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// Whatever the files hold, there is an error that names one of them or a
// comparison that JSON can hold, and unpaired times are never a verdict.
func FuzzCompare(f *testing.F) {
	pawl, other := duetFiles(f)
	plain := header + rows("BenchmarkPack-8", 1000, slow, mem(64, 3))
	for _, s := range []string{
		plain, pawl, other, "", "Unit x better=higher assume=exact\nBenchmarkX 3 -1 x 0 ns/op 1e308 B/op\n",
		"BenchmarkX-8 \thello\n 100\t 12 ns/op\npanic: x\n", "--- FAIL: BenchmarkX\nFAIL\tp\t1s\n", "\xff\xfeB\x00",
		"BenchmarkX-8 0 NaN ns/op\npanic: boom\n", "BenchmarkX 1 1e-300 cpu-ns/op\n# arm=base duet=0\n",
	} {
		f.Add([]byte(s), []byte(plain))
		f.Add([]byte(pawl), []byte(s))
	}
	f.Fuzz(func(t *testing.T, base, cand []byte) {
		if len(base)+len(cand) > 1<<16 {
			t.Skip("large files take long and show nothing new")
		}
		c, err := Compare(context.Background(), Input{"old.txt", bytes.NewReader(base)}, Input{"new.txt", bytes.NewReader(cand)}, Options{})
		if err != nil {
			if c != nil || !strings.Contains(err.Error(), "old.txt") && !strings.Contains(err.Error(), "new.txt") {
				t.Fatalf("%v, %v", c, err)
			}
			return
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Benchmarks {
			if b.Standing == "" || b.Why == "" {
				t.Fatalf("%+v says nothing", b)
			}
			if b.Verdict == nil && (b.Standing == model.Regressed || b.Standing == model.Improved) && len(b.Counts) == 0 && !bytes.Contains(append(base, cand...), []byte("assume=exact")) {
				t.Fatalf("%+v: claimed without counts", b)
			}
		}
	})
}

func duetFiles(f *testing.F) (base, cand string) {
	t := new(testing.T)
	base, cand = files(t, append(duets(pack, 9, 0.1, 0.01, 1), linked(duets(pack, 4, 0.1, 0.01, 1), 2)...))
	if t.Failed() {
		f.Fatal("the samples cannot be written")
	}
	return base, cand
}
