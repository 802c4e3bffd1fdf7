package diagnose

import (
	"bytes"
	"testing"

	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Whatever is in a profile, what is said of it holds together.
func FuzzDiagnose(f *testing.F) {
	f.Add(encode(f, raw(cpuTypes, cpuRow(100, "runtime.mallocgc main.f"), cpuRow(20, "runtime.goready runtime.chansend main.f"), cpuRow(9, "runtime.park_m runtime.mcall"))))
	f.Add(encode(f, raw(heapTypes, row{"main.f", []int64{1, 2, 3, 4}})))
	f.Add(encode(f, raw(goroutineTypes, row{"runtime.gopark main.f", []int64{5000}})))
	f.Add(encode(f, raw(delayTypes, row{"sync.(*Mutex).Unlock main.f", []int64{5, 1e9}})))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profile.ReadLimited(bytes.NewReader(data), 1<<20)
		if err != nil {
			return
		}
		d, err := Diagnose([]profile.Source{{Name: "x", Profile: p}}, Options{Own: "example.com/m"})
		if err != nil {
			return
		}
		for _, sy := range d.Profiles {
			for _, s := range append(sy.Signs, sy.Below...) {
				if !(s.Share >= 0 && s.Gain() <= 1.001) || len(s.Callers) > mostCallers || s.Meaning == "" {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}
