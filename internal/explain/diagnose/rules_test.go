package diagnose

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Whatever is looked for has a sign.
func TestSignsAreKnown(t *testing.T) {
	t.Parallel()
	names := map[profile.Kind][]string{
		profile.KindHeap:      {inObjects, inSpace, inUse},
		profile.KindMutex:     {onLock, onRuntime},
		profile.KindBlock:     {onLock, onChannel, onSelect, onGroup},
		profile.KindGoroutine: {onChannel, onSelect, onLock, onGroup, onIO, onTimer, onNothing},
		profile.KindLeak:      {onChannel, onSelect, onLock, onGroup, onNever, onOther},
		sign.Command:          {collecting, assisting, atLeastHeap, onRequest, stopped, waitingCore, throttled, beyondHeap},
	}
	for _, o := range order {
		names[profile.KindCPU] = append(names[profile.KindCPU], o.name)
	}
	for kind, list := range names {
		for _, name := range list {
			if _, ok := sign.Of(kind, name); !ok {
				t.Errorf("%s: %q is looked for, and nothing is said about it", kind, name)
			}
		}
	}
}
