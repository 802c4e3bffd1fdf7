package c35

import (
	"fmt"
	"os"
)

// V1 renamed
func export(out *os.File, recs []string) error {
	for _, rec := range recs {
		if _, err := fmt.Fprintln(out, rec); err != nil {
			return err
		}
	}
	return nil
}

// V2 method, missed
type journal struct{ f *os.File }

func (j *journal) append(lines [][]byte) error {
	for _, l := range lines {
		if _, err := j.f.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func dumper(f *os.File) func(map[string]int) {
	return func(m map[string]int) {
		for k, v := range m {
			fmt.Fprintf(f, "%s=%d\n", k, v)
		}
	}
}

// V4 generic
func WriteAll[T fmt.Stringer](f *os.File, vs []T) error {
	for _, v := range vs {
		if _, err := f.WriteString(v.String()); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions
func putLine(f *os.File, s string) error {
	_, err := f.WriteString(s + "\n")
	return err
}
func putLines(f *os.File, ss []string) error {
	for _, s := range ss {
		if err := putLine(f, s); err != nil {
			return err
		}
	}
	return nil
}
