package main

import (
	"flag"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/run/optimize"
)

const proposeManual = `
With -propose CMD it asks a program of yours for changes beside its own: a
script, or what calls a language model (docs/propose.md). CMD gets a function
that costs as JSON on its standard input, and answers with diffs. It runs in an
empty directory, with the network, and with those variables of the environment
that -propose-env names. What it answers is a stranger's change: it is read,
built and run in the sandbox, and passes all that a change for pawl try does.
`

// A proposing holds the flags about proposers from outside.
type proposing struct {
	commands several
	env      string
	limit    limit
}

func (p *proposing) register(fs *flag.FlagSet) {
	p.limit = limit(outside.DefaultLimit)
	fs.Var(&p.commands, "propose", "ask `CMD`, a line for the shell, for changes (docs/propose.md); may be repeated; implies -sandbox")
	fs.StringVar(&p.env, "propose-env", "", "`names` of the environment variables that CMD gets, with commas; no others")
	fs.Var(&p.limit, "propose-limit", "the most that CMD is asked: `calls`, rounds, time of a call, and cost in the unit of its answers")
}

// outsiders are whom the loop is to ask.
func (p *proposing) outsiders(e *env) optimize.Outsiders {
	vars := []string{} // not nil, which would stand for all
	for name := range strings.SplitSeq(p.env, ",") {
		for _, v := range e.environ {
			if key, _, _ := strings.Cut(v, "="); key != "" && key == strings.TrimSpace(name) {
				vars = append(vars, v)
			}
		}
	}
	out := optimize.Outsiders{Limit: outside.Limit(p.limit)}
	for _, line := range p.commands {
		out.Commands = append(out.Commands, outside.Command{Line: line, Env: vars})
	}
	return out
}

// A limit is the value of -propose-limit.
type limit outside.Limit

func (l *limit) String() string {
	if *l == (limit{}) { // package flag asks a zero value what its default is
		return ""
	}
	return outside.Limit(*l).String()
}

func (l *limit) Set(v string) error {
	parsed, err := outside.ParseLimit(v)
	*l = limit(parsed)
	return err
}
