package hotpath

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

var (
	quoted     = regexp.MustCompile(`'[^']*'|"[^"$` + "`" + `\\]*"`)
	runsGoTest = regexp.MustCompile(`(^|\W)go(\d\S*)? (-C \S+ )?test\b`)
	// aloneGoTest is go test and nothing else: nobody but pawl reads what it prints.
	aloneGoTest = regexp.MustCompile(`^\s*(\w+=\S*\s+)*go(\d\S*)? (-C \S+ )?test\b[^;&|<>()$` + "`" + `\n]*$`)

	packageLine = regexp.MustCompile(`^(ok  |\?   |FAIL)\t`)
	resultLine  = regexp.MustCompile(`^(--- PASS: |PASS: |Benchmark\S*\s+\d+\s)`)
	skipLine    = regexp.MustCompile(`^--- SKIP: `)
)

// verbosely returns env with -v for go test where a guardrail is go test alone,
// so that it says which tests it ran and which skipped themselves.
func verbosely(command string, env []string) []string {
	if !aloneGoTest.MatchString(quoted.ReplaceAllString(command, "x")) {
		return env
	}
	flags := "GOFLAGS=-v"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "GOFLAGS="); ok {
			flags = "GOFLAGS=" + strings.TrimSpace(value+" -v") // the last one counts
		}
	}
	return append(slices.Clone(env), flags)
}

// ranNothing says why a guardrail that ended well shows nothing: go test, in its
// own words in out, ran no test and no benchmark, or all of them skipped
// themselves. It is empty for other commands, and where go test's words went
// elsewhere: these are taken by their exit code.
func ranNothing(command string, out []byte) string {
	if !runsGoTest.MatchString(quoted.ReplaceAllString(command, "x")) {
		return ""
	}
	packages, skipped := 0, 0
	for line := range bytes.Lines(out) {
		switch {
		case resultLine.Match(line):
			return ""
		case skipLine.Match(line):
			skipped++
		case !packageLine.Match(line):
		case bytes.Contains(line, []byte("[no tests to run]")), bytes.Contains(line, []byte("[no test files]")):
			packages++
		case skipped == 0:
			return "" // without -v, a package that ran tests says no more
		default:
			packages++
		}
	}
	switch {
	case skipped > 0:
		return "ran no test: all that -run selects skipped themselves"
	case packages > 0:
		return "ran no test: none has a name that -run selects, or there are no test files"
	}
	return ""
}
