package c65

import (
	"fmt"
	"os/exec"
)

// V1 generic code

type invocation interface {
	Program() string
	Arguments() []string
}

func preflight[I invocation](batch []I) error {
	for i, cmd := range batch {
		if _, err := exec.LookPath(cmd.Program()); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}
