package c35

import (
	"fmt"
	"io"
	"os"
)

// V4 generic
func save[T fmt.Stringer](path string, items []T) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for _, it := range items {
		if _, err := fmt.Fprintln(f, it.String()); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}

// V5 two functions
func line(w io.Writer, k, v string) error {
	_, err := io.WriteString(w, k+"="+v+"\n")
	return err
}

func writeEnv(name string, env [][2]string) error {
	out, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, kv := range env {
		if err := line(out, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}
