package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A choice is a flag that takes one of some words.
type choice struct {
	to *string
	of []string
}

func (c choice) String() string {
	if c.to == nil { // package flag asks a zero value what its default is
		return ""
	}
	return *c.to
}

func (c choice) Set(v string) error {
	if !slices.Contains(c.of, v) {
		return errors.New("none of " + strings.Join(c.of, ", "))
	}
	*c.to = v
	return nil
}

func verboseFlag(fs *flag.FlagSet, to *bool) {
	fs.BoolVar(to, "v", false, "print all there is, not only what matters most")
}

func colorFlag(fs *flag.FlagSet, to *string) {
	*to = "auto"
	fs.Var(choice{to, []string{"auto", "always", "never"}}, "color", "`when` to use colours: auto, always or never")
}

// A part is a flag for a number between zero and a bound, both excluded.
type part struct {
	to    *float64
	below float64
	hint  string // what a user who is wrong may have meant
}

func (p part) String() string {
	if p.to == nil {
		return ""
	}
	return strconv.FormatFloat(*p.to, 'g', -1, 64)
}

func (p part) Set(v string) error {
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || !(x > 0 && x < p.below) { // not for NaN either
		return fmt.Errorf("not between 0 and %g%s", p.below, p.hint)
	}
	*p.to = x
	return nil
}

// alphaFlag adds -alpha, the error rate of all claims that of names.
func alphaFlag(fs *flag.FlagSet, to *float64, of string) {
	*to = 0.05
	fs.Var(part{to, 0.5, ""}, "alpha", "error `rate` of "+of)
}

// effectFlag adds -min-effect, the smallest effect that counts.
func effectFlag(fs *flag.FlagSet, to *float64, value float64, usage string) {
	*to = value
	fs.Var(part{to, 1, "; 0.02 is two per cent"}, "min-effect", usage)
}

// A span is a flag for a time above zero.
type span struct{ to *time.Duration }

func (s span) String() string {
	if s.to == nil {
		return ""
	}
	return s.to.String()
}

func (s span) Set(v string) error {
	d, err := time.ParseDuration(v)
	switch {
	case err != nil:
		return errors.New("no time; write it as 90s, 10m or 1h30m")
	case d <= 0:
		return errors.New("must be above zero")
	}
	*s.to = d
	return nil
}

func spanFlag(fs *flag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	fs.Var(span{to}, name, usage)
}
