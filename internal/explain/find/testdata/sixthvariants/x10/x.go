package x10

import (
	"fmt"
	"io"
	"strings"
)

// V1 method, bytes of it
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) Row(name string, share float64) {
	if p.err != nil {
		return
	}
	_, p.err = p.w.Write([]byte(fmt.Sprintf("%-20s %6.2f%%\n", name, share)))
}

// V2 closure, variable
func Sheet(names []string, values []float64) string {
	var b strings.Builder
	put := func(i int) {
		row := fmt.Sprintf("%-12s|%8.1f\n", names[i], values[i])
		b.WriteString(row)
	}
	for i := range names {
		put(i)
	}
	return b.String()
}
