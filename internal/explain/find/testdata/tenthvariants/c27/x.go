package c27

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
)

// V1 method, deferred closure in a range over a map, missed
type Auditor struct {
	logs map[string]string
	log  *slog.Logger
}

func (a *Auditor) Heads() (map[string]string, error) {
	heads := make(map[string]string, len(a.logs))
	for name, path := range a.logs {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("audit %s: %w", name, err)
		}
		defer func() {
			if err := f.Close(); err != nil {
				a.log.Error("closing log", "name", name, "err", err)
			}
		}()
		line, err := bufio.NewReader(f).ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("audit %s: %w", name, err)
		}
		heads[name] = line
	}
	return heads, nil
}
