package c65

import (
	"fmt"
	"os/exec"
)

// V1 renamed
func tools(names []string) (found []string) {
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			found = append(found, p)
		}
	}
	return
}

// V2 method
type disp struct{ cmds []string }

func (d *disp) check() error {
	for _, c := range d.cmds {
		p, err := exec.LookPath("x-" + c)
		if err != nil {
			return err
		}
		fmt.Println(p)
	}
	return nil
}

// V3 closure, missed
func runner(steps [][]string) func() error {
	return func() error {
		for _, s := range steps {
			if err := exec.Command("git", s...).Run(); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func availableAll[S ~string](xs []S) bool {
	for _, x := range xs {
		if _, err := exec.LookPath(string(x)); err != nil {
			return false
		}
	}
	return true
}

// V5 two functions
func find(n string) string { p, _ := exec.LookPath(n); return p }
func paths(ns []string) (out []string) {
	for _, n := range ns {
		out = append(out, find(n))
	}
	return
}
