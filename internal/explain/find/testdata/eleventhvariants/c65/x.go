package c65

import (
	"fmt"
	"os/exec"
)

// V2 method

type step struct {
	tool string
	args []string
}

type pipeline struct{ steps []step }

func (p *pipeline) preflight() error {
	for i, s := range p.steps {
		if _, err := exec.LookPath("build-" + s.tool); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}
