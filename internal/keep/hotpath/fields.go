package hotpath

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// keys are the keys in the order in which format writes them. Those that may
// stand more than once are true.
var keys = []struct {
	name string
	many bool
	set  func(*Record, field) error
}{
	{"place", false, setPlace},
	{"line", false, func(r *Record, f field) (err error) { r.Place.Line, err = f.word(); return }},
	{"at", false, setAt},
	{"why", false, setWhy},
	{"benchmark", false, setBenchmark},
	{"command", false, setCommand},
	{"better", true, setBetter},
	{"measured", false, setMeasured},
	{"go", false, func(r *Record, f field) (err error) { r.Measured.Go, err = f.word(); return }},
	{"cpu", false, func(r *Record, f field) (err error) { r.Measured.CPU, err = f.word(); return }},
	{"run", false, func(r *Record, f field) (err error) { r.Measured.Run, err = f.word(); return }},
	{"commit", false, func(r *Record, f field) (err error) { r.Measured.Commit, err = f.word(); return }},
	{"figures", true, setFigures},
	{"guard", true, setGuard},
}

// keyNames returns the names of the keys.
func keyNames() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// commentKey names the field that comments belong to: the i-th of its key.
func commentKey(key string, i int) string { return key + "/" + strconv.Itoa(i) }

// fill sets what the fields say, and checks what has to be there.
func (p *reader) fill(r *Record, fields []field) {
	seen := make(map[string][]int)
	for _, f := range fields {
		i := slices.Index(keyNames(), f.key)
		if i < 0 {
			p.fail(f.line, "there is no key %q: the nearest is %q", shorten(f.key), nearest(f.key, keyNames()))
			continue
		}
		if first := seen[f.key]; len(first) > 0 && !keys[i].many {
			p.fail(f.line, "%s stands on line %d already: keep one", f.key, first[0])
			continue
		}
		if len(f.comments) > 0 {
			r.comments[commentKey(f.key, len(seen[f.key]))] = f.comments
		}
		seen[f.key] = append(seen[f.key], f.line)
		if err := keys[i].set(r, f); err != nil {
			line := f.line
			if below := (*atLine)(nil); errors.As(err, &below) {
				line = below.line
			}
			p.fail(line, "%v", err)
		}
	}
	for _, must := range []string{"place", "benchmark"} {
		if len(seen[must]) == 0 && len(p.errs) == 0 {
			p.fail(1, "there is no %s: a record has one", must)
		}
	}
	if len(p.errs) == 0 {
		p.check(r, seen)
	}
}

// check looks at what several fields say together.
func (p *reader) check(r *Record, seen map[string][]int) {
	if r.Place.At.Line > 0 && r.Place.Line == "" {
		p.fail(seen["at"][0], "at names a line whose text is not given: add it as “line:”, so that it is found again after it moved")
	}
	for i, d := range r.Better {
		if j := slices.Index(r.Better[:i], d); j >= 0 {
			p.fail(seen["better"][i], "%s stands on line %d already: keep one", d, seen["better"][j])
		}
		if d.Benchmark != "" && !matches(r.Bench, d.Benchmark) {
			p.fail(seen["better"][i], "the pattern %s does not select %s", r.Bench, d.Benchmark)
		}
	}
	names := make(map[string]int)
	for i, g := range r.Guards {
		if at, ok := names[g.Name]; ok {
			p.fail(seen["guard"][i], "there is a guard %s on line %d already: give this one another name", g.Name, at)
		}
		names[g.Name] = seen["guard"][i]
	}
	clear(names)
	for i, f := range r.Measured.Figures {
		if at, ok := names[f.Benchmark]; ok {
			p.fail(seen["figures"][i], "%s has figures on line %d already", f.Benchmark, at)
		}
		names[f.Benchmark] = seen["figures"][i]
	}
}

func setPlace(r *Record, f field) error {
	v, err := f.word()
	if err != nil {
		return err
	}
	words := strings.Fields(v)
	if len(words) > 2 || !isPath(words[0]) {
		return fmt.Errorf("a place is an import path and the name of a function, such as example.com/m/wire (*Conn).Write")
	}
	r.Place.Pkg = words[0]
	if len(words) == 2 {
		if !symbol.MatchString(words[1]) {
			return fmt.Errorf("%q is no name of a function: write F, T.F or (*T).F, without type parameters", shorten(words[1]))
		}
		r.Place.Func = words[1]
	}
	return nil
}

var symbol = regexp.MustCompile(`^([\pL_][\pL\pN_]*|[\pL_][\pL\pN_]*\.[\pL_][\pL\pN_]*|\(\*[\pL_][\pL\pN_]*\)\.[\pL_][\pL\pN_]*)$`)

// isPath reports whether s can be an import path.
func isPath(s string) bool {
	return s != "" && !strings.ContainsAny(s, "()*\"'`:;,?<>|\\ \t") && !strings.HasPrefix(s, "-") && !strings.HasPrefix(s, ".")
}

var atForm = regexp.MustCompile(`^(.+\.go):([1-9][0-9]{0,8})$`)

func setAt(r *Record, f field) error {
	v, err := f.word()
	if err != nil {
		return err
	}
	m := atForm.FindStringSubmatch(v)
	if m == nil || !isLocal(m[1]) {
		return fmt.Errorf("%q is no place in the module: write FILE.go:LINE, relative to the directory of go.mod", shorten(v))
	}
	line, _ := strconv.Atoi(m[2]) // nine digits at most
	r.Place.At = model.Pos{File: m[1], Line: line}
	return nil
}

func setWhy(r *Record, f field) error {
	r.Why = f.text()
	if r.Why == "" {
		return fmt.Errorf("why has no value")
	}
	return nil
}

func setBenchmark(r *Record, f field) error {
	v, err := f.word()
	if err != nil {
		return err
	}
	pkg, pattern, _ := strings.Cut(v, " ")
	pattern = strings.TrimSpace(pattern)
	if !isPath(pkg) || pattern == "" {
		return fmt.Errorf("a benchmark is an import path and a pattern, such as example.com/m/wire ^BenchmarkWrite$")
	}
	if err := checkPattern(pattern); err != nil {
		return err
	}
	r.Pkg, r.Bench = pkg, pattern
	return nil
}

func setCommand(r *Record, f field) error {
	r.Command = f.text()
	if r.Command == "" {
		return fmt.Errorf("command has no value")
	}
	return nil
}

func setBetter(r *Record, f field) error {
	v, err := f.word()
	if err != nil {
		return err
	}
	d, err := ParseDirection(v)
	if err != nil {
		return err
	}
	r.Better = append(r.Better, d)
	return nil
}

func setMeasured(r *Record, f field) error {
	v, err := f.word()
	if err != nil {
		return err
	}
	if r.Measured.Date, err = time.Parse(time.DateOnly, v); err != nil {
		return fmt.Errorf("%q is no day: write it as 2027-03-01", shorten(v))
	}
	return nil
}

var guardForm = regexp.MustCompile(`(?s)^(\S+?)(?:[ \t]+within[ \t]+(\S+?))?[ \t]*:[ \t]*\n?(.*)$`)

func setGuard(r *Record, f field) error {
	m := guardForm.FindStringSubmatch(strings.Join(f.values, "\n"))
	if m == nil || strings.TrimSpace(m[3]) == "" {
		return fmt.Errorf("a guard is NAME [within TIME]: COMMAND, such as golden within 2m: go test -run '^TestGolden$' ./wire")
	}
	g := Guard{Name: m[1], Timeout: DefaultTimeout, Command: m[3]}
	if m[2] != "" {
		var err error
		if g.Timeout, err = time.ParseDuration(m[2]); err != nil {
			return fmt.Errorf("%q is no time: write it as 30s or 2m", shorten(m[2]))
		}
	}
	if err := g.check(); err != nil {
		return err
	}
	r.Guards = append(r.Guards, g)
	return nil
}

func (g Guard) check() error {
	switch {
	case !ValidName(g.Name):
		return fmt.Errorf("%q does not do as a name: use letters, digits, “-”, “_” and “.”", shorten(g.Name))
	case g.Timeout <= 0 || g.Timeout > maxTimeout:
		return fmt.Errorf("a guard takes more than nothing and a day at most, not %s", g.Timeout)
	}
	return nil
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// ValidName reports whether s does as the name of a record, which is one of a
// file too, or of a guard.
func ValidName(s string) bool { return nameForm.MatchString(s) }
