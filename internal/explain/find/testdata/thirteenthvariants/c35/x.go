package c35

import (
	"fmt"
	"os"
)

// V1 method

type measurement struct {
	host string
	cpu  float64
	rss  int64
}

type csvSink struct {
	file *os.File
}

func (s *csvSink) Export(all []measurement) error {
	if _, err := s.file.WriteString("host,cpu,rss\n"); err != nil {
		return err
	}
	for _, m := range all {
		if _, err := fmt.Fprintf(s.file, "%s,%.2f,%d\n", m.host, m.cpu, m.rss); err != nil {
			return err
		}
	}
	return nil
}
