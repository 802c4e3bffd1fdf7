package bench

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// residentStep is how often a process is looked at for its memory. The figure is
// a peak that the kernel keeps, so what is missed is its growth since the last
// look.
const residentStep = 2 * time.Millisecond

// Resident runs one slice of the plan and returns the most memory that its process
// had in its pages, in bytes: what a container's limit counts. 0 is where the
// system does not tell. Code, stacks and what the runtime keeps are in it.
func (s *Suite) Resident(ctx context.Context, b *Binary, p model.Plan) (float64, error) {
	j := planned(b, p)
	limited, cancel := context.WithTimeout(ctx, j.timeout)
	defer cancel()
	proc, err := s.start(limited, j)
	if err != nil {
		return 0, err
	}
	stop, peak := make(chan struct{}), make(chan int64)
	go func() { // ends with stop
		tick := time.NewTicker(residentStep)
		defer tick.Stop()
		most := int64(0)
		for {
			most = max(most, gocmd.PeakRSS(proc.proc.Pid()))
			select {
			case <-stop:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	o, err := proc.wait()
	close(stop)
	most := <-peak
	if err = j.late(ctx, err); err == nil {
		_, err = j.figures(o, p.SetupNs)
	}
	return float64(most), err
}
