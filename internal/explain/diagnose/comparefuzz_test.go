package diagnose

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Whatever two profiles hold, a comparison is an answer or an error, and can be
// written as JSON.
func FuzzCompare(f *testing.F) {
	cpu := encode(f, raw(cpuTypes, cpuRow(30, "runtime.mallocgc main.f.func1 main.main"), cpuRow(9, "main.g main.main"), cpuRow(1, "?")))
	more := encode(f, raw(cpuTypes, cpuRow(3, "runtime.mallocgc main.f.func2 main.main"), cpuRow(90, "main.g main.main")))
	heap := encode(f, raw(heapTypes, row{"main.f main.main", []int64{900, 1 << 20, 1, 1 << 10}}))
	delay := encode(f, raw(delayTypes, row{"sync.(*Mutex).Unlock main.f main.main", []int64{900, 1 << 40}}))
	for _, data := range [][]byte{cpu, heap, delay} {
		f.Add(data, data, 0.0, false)
	}
	f.Add(cpu, more, 1e18, false)
	f.Add(cpu, more, 1e-300, true)
	f.Fuzz(func(t *testing.T, a, b []byte, ops float64, seconds bool) {
		base, err := profile.ReadLimited(bytes.NewReader(a), 1<<20)
		if err != nil {
			return
		}
		now, err := profile.ReadLimited(bytes.NewReader(b), 1<<20)
		if err != nil {
			return
		}
		o := Options{Per: Per{Second: seconds}}
		if ops > 0 && ops <= 1e18 && !seconds {
			o.Per = Per{BaseOps: ops, NowOps: 1}
		}
		cs, _, err := Compare([]profile.Source{{Name: "a", Profile: base}}, []profile.Source{{Name: "b", Profile: now}}, o)
		if err != nil {
			return
		}
		if _, err := json.Marshal(cs); err != nil {
			t.Error(err)
		}
	})
}
