package regexps

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/regexps/recode"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// comparedTexts is how many texts a generated function is compared on, about:
// so many short ones, and four times as many made from the pattern.
const comparedTexts = 3000

// A comparison is how generated code was compared with its expression.
type comparison struct {
	texts int           // on which both gave the same
	why   *prove.Reason // that the code cannot be used; nil if it can
}

type comparisonKey string // the source of the code

// matches compiles a generated function beside its expression and runs both.
// It returns on how many texts they gave the same, or why the function is not
// to be used.
func matches(p *prove.Program, c recode.Case) (texts int, why *prove.Reason) {
	done := prove.Remember(p, comparisonKey(c.Function.Source), func() comparison {
		n, err := compare(p, c)
		if err != nil {
			return comparison{n, prove.Refuse("comparing the code for it with package regexp: " + err.Error())}
		}
		return comparison{n, nil}
	})
	return done.texts, done.why
}

func compare(p *prove.Program, c recode.Case) (n int, err error) {
	scratch, err := gocmd.NewScratch("", "regexp")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	dir := scratch.Dir
	var inputs strings.Builder
	for _, s := range recode.Inputs(c.Pattern, comparedTexts) {
		fmt.Fprintf(&inputs, "%q\n", s)
	}
	for name, text := range map[string]string{
		"go.mod": "module pawl.test/regexp\n\ngo 1.18\n", "main.go": recode.Program([]recode.Case{c}), "inputs": inputs.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return 0, err
		}
	}
	out, err := p.GoRun(dir, "inputs")
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscanf(out, "same %d", &n); err != nil || n == 0 {
		return 0, errors.New(strings.TrimSpace(out))
	}
	return n, nil
}
