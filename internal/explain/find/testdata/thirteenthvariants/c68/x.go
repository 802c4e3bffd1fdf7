package c68

import (
	"os"
)

// V1 generic code

type step interface {
	Name() string
	Run(dir string) error
}

func runIsolated[S step](root string, steps []S) error {
	for _, s := range steps {
		dir, err := os.MkdirTemp("", s.Name())
		if err != nil {
			return err
		}
		if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
			return err
		}
		err = s.Run(dir)
		os.RemoveAll(dir)
		if err != nil {
			return err
		}
	}
	return nil
}
