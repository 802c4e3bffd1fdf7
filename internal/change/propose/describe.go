package propose

import (
	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/model"
)

// Describe returns the declared function around a place as a proposer from
// outside is to see it; ok is false where there is none.
func (p *Program) Describe(at model.Pos) (f outside.Function, ok bool) {
	return outside.Describe(p.engine, at)
}
