package c68

import (
	"os"
	"os/exec"
)

// V2 method
type sandbox struct{ root string }

func (s sandbox) runAll(cmds []*exec.Cmd) error {
	for _, c := range cmds {
		tmp, err := os.MkdirTemp("", "ws")
		if err != nil {
			return err
		}
		if err := os.CopyFS(tmp, os.DirFS(s.root)); err != nil {
			return err
		}
		c.Dir = tmp
		if err := c.Run(); err != nil {
			return err
		}
		os.RemoveAll(tmp)
	}
	return nil
}
