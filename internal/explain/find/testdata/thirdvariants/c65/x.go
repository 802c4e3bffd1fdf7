package c65

import "os/exec"

// V2 method
type runner struct{ tools []string }

func (r runner) check(scripts [][]string) error {
	for _, s := range scripts {
		if _, err := exec.LookPath(s[0]); err != nil {
			return err
		}
	}
	return nil
}
