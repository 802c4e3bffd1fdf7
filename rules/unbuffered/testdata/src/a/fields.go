package a

import (
	"fmt"
	"net"
	"os"
)

type sink struct {
	file *os.File
	log  *os.File
	out  *os.File
	conn net.Conn
}

func open(name string) (*sink, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(name+".log", os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &sink{file: file, log: log, out: os.Stdout}, nil
}

func (s *sink) export(all []sample) error {
	for _, m := range all {
		if _, err := fmt.Fprintf(s.file, "%d,%d\n", m.at, m.count); err != nil { // want `each write to file in this loop is a system call; a bufio.Writer joins those that are small`
			return err
		}
	}
	for _, m := range all {
		fmt.Fprintln(s.conn, m.at) // want `each write to conn in this loop`
	}
	return nil
}

type journal struct{ f *os.File }

func (j *journal) add(lines []string) {
	for _, s := range lines {
		fmt.Fprintln(j.f, s) // want `each write to f in this loop`
	}
}

// What follows is left alone.

func (s *sink) logged(all []sample) {
	for _, m := range all {
		fmt.Fprintln(s.log, m.at)
		fmt.Fprintln(s.out, m.at)
	}
}

func (s *sink) synced(all []sample) {
	for _, m := range all {
		fmt.Fprintln(s.file, m.at)
		s.file.Sync()
	}
}

func (s *sink) line(m sample) { fmt.Fprintln(s.file, m.at) }

func (s *sink) mixed(all []sample) {
	for _, m := range all {
		s.line(m)
		fmt.Fprintln(s.file, m.count)
	}
}

func each(all []*sink) {
	for _, s := range all {
		fmt.Fprintln(s.file, "end")
	}
}
