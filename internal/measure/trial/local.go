package trial

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Local is a Runner on this machine. It is not for concurrent use: two
// trials at a time would disturb each other.
type Local struct {
	suite *bench.Suite
	cpu   int
	since time.Time // when cpu was the quietest
	from  [2]string // what the copies are copies of
	arms  [2]*bench.Binary
}

// NewLocal returns a Runner that uses s.
func NewLocal(s *bench.Suite) *Local { return &Local{suite: s, cpu: gocmd.NoCPU} }

// Unit implements Runner.
func (l *Local) Unit(ctx context.Context, p model.Plan, base, cand *bench.Binary, u Unit) ([2]model.Sample, error) {
	if u.Fresh || l.from != [2]string{base.Path, cand.Path} {
		if err := l.refresh(base, cand); err != nil {
			return [2]model.Sample{}, err
		}
	}
	cpu := l.cpu
	switch {
	case p.Mode == model.Parallel:
		cpu = gocmd.NoCPU
	case p.Mode != model.Duet || !gocmd.CanPin():
		return l.alternate(ctx, p, u)
	}
	return l.suite.Duet(ctx, l.arms[0], l.arms[1], p, bench.DuetOpts{CPU: cpu, BaseFirst: u.BaseFirst, Unit: u.Index})
}

// alternate runs one slice of each arm, one after the other.
func (l *Local) alternate(ctx context.Context, p model.Plan, u Unit) ([2]model.Sample, error) {
	order := []int{0, 1}
	if !u.BaseFirst {
		order = []int{1, 0}
	}
	var pair [2]model.Sample
	for _, i := range order {
		arm := []model.Arm{model.Base, model.Candidate}[i]
		s, err := l.suite.Slice(ctx, l.arms[i], p, bench.SliceOpts{CPU: gocmd.NoCPU, Arm: arm, Unit: u.Index})
		if err != nil {
			return pair, fmt.Errorf("%s: %w", arm, err)
		}
		pair[i] = s
	}
	return pair, nil
}

// quietFor is how long a core is taken for the quietest: looking for it takes a
// tenth of a second, as long as the duets of a pair of fresh links do.
const quietFor = 2 * time.Second

func (l *Local) refresh(base, cand *bench.Binary) error {
	l.Close()
	if gocmd.CanPin() && time.Since(l.since) > quietFor {
		cpu, err := gocmd.QuietCPU()
		if err != nil {
			return err
		}
		l.cpu, l.since = cpu, time.Now()
	}
	for i, b := range []*bench.Binary{base, cand} {
		c, err := l.suite.Copy(b, fmt.Sprintf("arm%d", i))
		if err != nil {
			return err
		}
		l.arms[i] = c
	}
	l.from = [2]string{base.Path, cand.Path}
	return nil
}

// Close removes the copies.
func (l *Local) Close() {
	for i, b := range l.arms {
		if b != nil {
			_ = os.Remove(b.Path)
		}
		l.arms[i] = nil
	}
	l.from = [2]string{}
}
