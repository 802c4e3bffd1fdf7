package results

import (
	"cmp"
	"regexp"
	"strings"
)

// lines is what a file says beside its results.
type lines struct {
	failed  []failedLine
	skipped []string // names
	torn    []tornLine
	broken  []string // benchfmt's messages, of lines that are neither
	ended   string   // why the run ended early, in go test's words
	json    bool
}

// A failedLine is one failure of one benchmark.
type failedLine struct {
	pkg, name string // the name may have -N
	text      string
}

// A tornLine is a line whose figures are somewhere else, because the benchmark
// printed something between its name and them.
type tornLine struct {
	name    string
	line    int
	by      string
	message string // benchfmt's, of the line
}

var (
	failLine  = regexp.MustCompile(`--- FAIL: (Benchmark\S*)`)
	skipLine  = regexp.MustCompile(`--- SKIP: (Benchmark\S*)`)
	panicLine = regexp.MustCompile(`^(Benchmark\S+)\s.*?((?:panic|fatal error): .*)$`)
	diedLine  = regexp.MustCompile(`^(?:panic: |fatal error: |signal: |\*\*\* Test killed|SIG[A-Z]+: )`)
	// What testing prints of a benchmark that panics, before the panic.
	nanLine    = regexp.MustCompile(`^(Benchmark\S+)\s+0\s+NaN ns/op`)
	frameLine  = regexp.MustCompile(`\.(Benchmark[^\sa-z(.]\w*)(?:\.func[0-9.]+)?\(`)
	endLine    = regexp.MustCompile(`^(ok|FAIL)\s+(\S+)\s`)
	builtLine  = regexp.MustCompile(`^FAIL\s+\S+ \[.* failed\]`)
	figureLine = regexp.MustCompile(`[0-9]+\s+[0-9.]+ ns/op`)
	// A result that does not begin its line: something was printed before it.
	inside = regexp.MustCompile(`^(.+?)(Benchmark[^\sa-z]\S*)\s.*[0-9]+\s+[0-9.]+ ns/op`)
	// What go test -v says before a benchmark, and t.Log after it, are no prints.
	talk = regexp.MustCompile(`^(?:===|---|\s)`)
)

// A scanner reads what benchfmt passes over.
type scanner struct {
	lines
	all   []string
	pkg   string
	first int       // of the failures of the package that is being read
	open  *tornLine // its figures may come yet
}

// scanLines reads all lines. The broken ones are those that begin like a
// result and are none, with benchfmt's message.
func scanLines(all []string, broken map[int]string) lines {
	s := scanner{all: all}
	for i, line := range all {
		s.frame(line)
		s.figures(line, broken[i+1] != "")
		s.line(i, line, broken[i+1])
	}
	s.abandon()
	return s.lines
}

// frame follows where the output of a package begins and ends. A failure may
// stand before the line that names its package, so that the end decides.
func (s *scanner) frame(line string) {
	if strings.HasPrefix(line, `{"`) && strings.Contains(line, `"Action":`) {
		s.json = true
	}
	if rest, ok := strings.CutPrefix(line, "pkg:"); ok {
		s.pkg = strings.TrimSpace(rest)
	}
	if end := endLine.FindStringSubmatch(line); end != nil {
		for i := s.first; i < len(s.failed); i++ {
			s.failed[i].pkg = end[2]
		}
		s.first = len(s.failed)
	}
}

// figures looks for those of an open line, up to the next line of go test.
func (s *scanner) figures(line string, bad bool) {
	switch {
	case s.open == nil:
	case bad || strings.HasPrefix(line, "Benchmark") || endLine.MatchString(line) || strings.HasPrefix(line, "---"):
		s.abandon()
	case figureLine.MatchString(line):
		s.open.by = cmp.Or(s.open.by, strings.TrimSpace(figureLine.Split(line, 2)[0]))
		s.torn = append(s.torn, *s.open)
		s.open = nil
	case s.open.by == "":
		s.open.by = strings.TrimSpace(line)
	}
}

// abandon takes the open line for what benchfmt said of it.
func (s *scanner) abandon() {
	if s.open != nil {
		s.broken = append(s.broken, s.open.message)
	}
	s.open = nil
}

func (s *scanner) line(i int, line, message string) {
	switch {
	case failLine.MatchString(line):
		s.failed = append(s.failed, failedLine{s.pkg, failLine.FindStringSubmatch(line)[1], following(s.all, i)})
	case skipLine.MatchString(line):
		s.skipped = append(s.skipped, skipLine.FindStringSubmatch(line)[1])
	case message != "" && panicLine.MatchString(line):
		m := panicLine.FindStringSubmatch(line)
		s.failed = append(s.failed, failedLine{s.pkg, m[1], m[2]})
	case nanLine.MatchString(line):
		text := ""
		if i+1 < len(s.all) {
			text = s.all[i+1]
		}
		s.failed = append(s.failed, failedLine{s.pkg, nanLine.FindStringSubmatch(line)[1], text})
	case builtLine.MatchString(line), diedLine.MatchString(line) && s.ended == "":
		s.ended = line
		s.died(i, line)
	case message != "" && !strings.HasPrefix(line, "Benchmark"): // a Unit line
		s.broken = append(s.broken, message)
	case message != "":
		name, by, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		s.open = &tornLine{name: name, line: i + 1, by: strings.TrimSpace(by), message: message}
		if at := figureLine.FindStringIndex(by); at != nil {
			s.open.by = strings.TrimSpace(by[:at[0]])
			s.torn = append(s.torn, *s.open)
			s.open = nil
		}
	case inside.MatchString(line) && !talk.MatchString(line):
		m := inside.FindStringSubmatch(line)
		s.torn = append(s.torn, tornLine{name: m[2], line: i + 1, by: strings.TrimSpace(m[1])})
	}
}

// stackLines is how many lines of a stack are searched for a benchmark.
const stackLines = 40

// died looks for the benchmark that a panic came from, where testing has not
// named it: in its first, single iteration.
func (s *scanner) died(i int, line string) {
	if i > 0 && nanLine.MatchString(s.all[i-1]) {
		return
	}
	for _, l := range s.all[i+1 : min(len(s.all), i+1+stackLines)] {
		if m := frameLine.FindStringSubmatch(l); m != nil {
			s.failed = append(s.failed, failedLine{s.pkg, m[1], line})
			return
		}
	}
}

// following is the first indented line below a failure, its message.
func following(all []string, i int) string {
	if i+1 < len(all) && strings.HasPrefix(all[i+1], "    ") {
		return strings.TrimSpace(all[i+1])
	}
	return ""
}
