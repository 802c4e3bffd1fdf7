package overview

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// An Advice is a command that fits the module, and what it would do there.
type Advice struct{ Command, Why string }

// advice returns the commands that fit, the one to begin with first.
func (m *Module) advice() []Advice {
	var all []Advice
	if p, ok := m.busiest(); ok {
		all = append(all, Advice{strings.TrimSuffix("pawl optimize -bench . "+figure.Shell(m.pattern(p.Dir)), " ."), "make it faster, unattended, and prove it"})
	}
	if len(m.Profiles) > 0 {
		all = append(all, Advice{"pawl find -profile " + figure.Shell(m.from(m.Profiles[0])) + " ./...", "what that profile says costs, and why"})
	}
	if len(all) == 0 && len(m.Handlers) > 0 {
		all = append(all, Advice{"pawl bench-stub " + figure.Shell(m.pattern(m.Handlers[0])), "a benchmark to begin with, from inputs of the tests"})
	}
	if m.Base != "" && m.benchmarks() > 0 {
		all = append(all, Advice{"pawl gate", "is this branch slower than " + m.Base + "?"})
	}
	return append(all, Advice{"pawl find ./...", "what costs, by reading the source alone"})
}

// from returns a file as it is called from where one is.
func (m *Module) from(name string) string {
	rel, err := filepath.Rel(filepath.FromSlash(m.At), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// pattern returns a package, or a function of one, as the go command takes it from where one is.
func (m *Module) pattern(dir string) string {
	dir = m.from(dir)
	if dir == "." || strings.HasPrefix(dir, "..") {
		return dir
	}
	return "./" + dir
}

// busiest returns the package with the most benchmarks, of equal ones the first;
// the one where one is, if it has any.
func (m *Module) busiest() (Package, bool) {
	most := Package{}
	for _, p := range m.Packages {
		if len(p.Benchmarks) > 0 && m.At != "" && m.from(p.Dir) == "." {
			return p, true
		}
		if len(p.Benchmarks) > len(most.Benchmarks) {
			most = p
		}
	}
	return most, len(most.Benchmarks) > 0
}

func (m *Module) benchmarks() (n int) {
	for _, p := range m.Packages {
		n += len(p.Benchmarks)
	}
	return n
}

// lineWidth is how wide a line may be.
const lineWidth = 80

// Write prints what there is and what to do, in a few lines.
func (m *Module) Write(w io.Writer) error {
	var b strings.Builder
	atLeast := ""
	if m.Cut {
		atLeast = "at least "
	}
	head := fmt.Sprintf("%s has %s%s and %s.", m.Name, atLeast, words.Counted(len(m.Packages), "package"), m.measured())
	if at := strings.LastIndex(head, ", "); at > 0 && len(head) > lineWidth {
		head = head[:at] + ",\n" + head[at+2:]
	}
	b.WriteString(head + "\n")
	if len(m.Profiles) > 0 {
		var names []string
		for _, name := range m.Profiles {
			names = append(names, m.from(name))
		}
		fmt.Fprintf(&b, "Profiles lie in %s.\n", words.Some(names, 3))
	}
	b.WriteString("\nBegin with:\n")
	advise(&b, m.advice())
	b.WriteString("All verbs: pawl help\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// advise writes commands, with what each would do beside it, or below it where a line
// has no room for both.
func advise(b *strings.Builder, all []Advice) {
	width, beside := 0, true
	for _, a := range all {
		width = max(width, utf8.RuneCountInString(a.Command))
	}
	for _, a := range all {
		beside = beside && 2+width+2+utf8.RuneCountInString(a.Why) <= lineWidth
	}
	for i, a := range all {
		if i == 1 {
			b.WriteString("Or:\n")
		}
		if beside {
			fmt.Fprintf(b, "  %-*s  %s\n", width, a.Command, a.Why)
		} else {
			fmt.Fprintf(b, "  %s\n      %s\n", a.Command, a.Why)
		}
	}
}

// measured says what could be measured, or what would have to be.
func (m *Module) measured() string {
	n := m.benchmarks()
	if n == 0 {
		if len(m.Handlers) > 0 {
			return "no benchmark; " + words.Counted(len(m.Handlers), "function") + " answer HTTP requests"
		}
		return "no benchmark"
	}
	p, _ := m.busiest()
	where := "in " + m.pattern(p.Dir)
	if where == "in ." {
		where = "here"
	}
	switch most := len(p.Benchmarks); {
	case p.Dir == "." && most == n:
		return words.Counted(n, "benchmark")
	case most == n:
		return words.Counted(n, "benchmark") + " " + where
	default:
		return fmt.Sprintf("%s, %d of them %s", words.Counted(n, "benchmark"), most, where)
	}
}
