package metrics

import (
	"bytes"

	"github.com/pawl-dev/pawl/internal/read/profile/memstats"
)

// heapText reads the figures at the end of a heap profile as text.
func heapText(data []byte) (*Reading, error) {
	m, err := memstats.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	r := newReading("heap")
	for key, v := range map[string]uint64{
		cycles: m.NumGC, forced: m.NumForcedGC, heapGoal: m.NextGC, allocBytes: m.TotalAlloc, allocObjects: m.Mallocs,
		heapObjects: m.HeapAlloc, heapReleased: m.HeapReleased, heapInuse: m.HeapInuse, heapIdle: m.HeapIdle, memoryTotal: m.Sys,
	} {
		r.put(key, float64(v))
	}
	r.put(gcFraction, m.GCCPUFraction)
	return r, nil
}
