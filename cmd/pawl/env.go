package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// An env is all that a verb sees of the world.
type env struct {
	stdout, stderr io.Writer
	programs       io.Writer // gets what programs print that pawl runs for somebody to see
	dir            string
	environ        []string
	getenv         func(string) string
	now            func() time.Time
	outTTY, errTTY bool
	width          int  // of the terminal; 0 when there is none
	manual         bool // help is the whole manual
}

// printf prints a message, on a terminal in lines that fit. Nothing in it has a
// colour, whatever it quotes.
func (e *env) printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if e.errTTY {
		text = sheet.Fit(text, e.view("never", true).Columns())
	}
	io.WriteString(quoting(e.stderr), text)
}

// plain is stdout for text without any colour.
func (e *env) plain() io.Writer { return quoting(e.stdout) }

func quoting(w io.Writer) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		if _, err := io.WriteString(w, quote.Text(string(p))); err != nil {
			return 0, err
		}
		return len(p), nil
	})
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// width returns the width of the first of the files that is a terminal.
func width(files ...*os.File) int {
	for _, f := range files {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}

// view returns how reports look here; tty says whether they go to a terminal.
func (e *env) view(color string, tty bool) sheet.Options {
	o := sheet.Options{Width: e.width}
	switch color {
	case "always":
		o.Color = true
	case "auto":
		o.Color = tty && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
	}
	o.ASCII = e.getenv("LC_ALL") == "C" || e.getenv("LC_ALL") == "POSIX"
	return o
}

// shown is the view of a report on stdout: all there is, or what matters most.
func (e *env) shown(color string, verbose bool) sheet.Options {
	o := e.view(color, e.outTTY)
	o.Verbose = verbose
	return o
}
