package outside

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Bounds of an answer.
const (
	mostProposals = 8
	mostOutput    = 256 << 10
	mostReason    = 1000 // characters
)

// An Answer is what a proposer has come up with.
type Answer struct {
	Proposals []model.Proposal
	Cost      float64 // of the call, with that of each proposal
	Left      int     // proposals above the most that are taken
}

// parse reads what a proposer has printed. Text without any diff has no
// proposals; an error is for bytes that are no text, and for JSON of another form.
func parse(out []byte) (a Answer, err error) {
	out = bytes.TrimSpace(out)
	switch {
	case !utf8.Valid(out) || bytes.IndexByte(out, 0) >= 0:
		return a, errors.New("the answer is no text")
	case bytes.HasPrefix(out, []byte("{")):
		a, err = parseJSON(out)
	default:
		a = parseText(string(out))
	}
	if err != nil {
		return Answer{}, err
	}
	for i := range a.Proposals {
		p := &a.Proposals[i]
		p.Reason = words.Clip(strings.Join(strings.Fields(strings.Map(shown, p.Reason)), " "), mostReason)
		if !(p.Cost >= 0) || math.IsInf(p.Cost, 0) {
			return Answer{}, errors.New("a cost is below zero, or no number")
		}
		a.Cost += p.Cost
	}
	if a.Left = max(0, len(a.Proposals)-mostProposals); a.Left > 0 {
		a.Proposals = a.Proposals[:mostProposals]
	}
	return a, nil
}

// shown leaves out of a reason, which gets into reports and commits, what a
// terminal would act on.
func shown(r rune) rune {
	if unicode.IsPrint(r) || unicode.IsSpace(r) {
		return r
	}
	return -1
}

func parseJSON(out []byte) (a Answer, err error) {
	var doc struct {
		Proposals *[]model.Proposal `json:"proposals"`
		Cost      float64           `json:"cost"`
	}
	switch err := json.Unmarshal(out, &doc); {
	case err != nil:
		return a, fmt.Errorf("the answer is no JSON of the form that is asked for: %w", err)
	case doc.Proposals == nil:
		return a, errors.New(`the answer is JSON without "proposals"`)
	case doc.Cost < 0:
		return a, errors.New("a cost is below zero")
	}
	a.Cost = doc.Cost
	a.Proposals = slices.DeleteFunc(*doc.Proposals, func(p model.Proposal) bool { return strings.TrimSpace(p.Diff) == "" })
	for i, p := range a.Proposals {
		// Where the text has one diff, it is repaired as one in plain text is.
		if plain := parseText(p.Diff).Proposals; len(plain) == 1 {
			a.Proposals[i].Diff = plain[0].Diff
		}
	}
	return a, nil
}

// parseText reads diffs with lines of reason before each. A diff ends where a
// line stands that belongs to none, and the next one begins another proposal. What
// stands after the last diff is nobody's reason.
func parseText(out string) (a Answer) {
	s := &scanner{lines: strings.Split(strings.ReplaceAll(out, "\r\n", "\n"), "\n")}
	var reason []string
	for s.at < len(s.lines) {
		if diff := s.diff(); diff != "" {
			a.Proposals = append(a.Proposals, model.Proposal{Diff: diff, Reason: strings.Join(reason, "\n")})
			reason = nil
			continue
		}
		line := strings.TrimSpace(s.lines[s.at])
		s.at++
		if cost, ok := strings.CutPrefix(line, "cost: "); ok {
			if x, err := strconv.ParseFloat(cost, 64); err == nil && x >= 0 && !math.IsInf(x, 0) {
				a.Cost += x
				continue
			}
		}
		if line != "" && !strings.HasPrefix(line, "```") {
			reason = append(reason, line)
		}
	}
	return a
}

// A scanner goes through the lines of an answer.
type scanner struct {
	lines []string
	at    int
}

// diff reads the parts of a diff that begin here, and what git writes before
// them; "" where none does.
func (s *scanner) diff() string {
	var b strings.Builder
	for s.at < len(s.lines) {
		from := s.at
		for s.extended(s.at) {
			s.at++
		}
		if !s.names(s.at) {
			if from == s.at || !strings.HasPrefix(s.lines[from], "diff --git ") {
				s.at = from
				break
			}
			write(&b, s.lines[from:s.at]) // a mode, or a rename: the patch is refused by that name
			continue
		}
		s.at += 2
		write(&b, s.lines[from:s.at])
		for s.at < len(s.lines) && strings.HasPrefix(s.lines[s.at], "@@ -") {
			s.hunk(&b)
		}
	}
	return b.String()
}

func write(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
}

// extended reports whether a line is one that git writes before the names.
func (s *scanner) extended(at int) bool {
	return at < len(s.lines) && slices.ContainsFunc([]string{
		"diff --git ", "index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity index ", "rename ", "copy ",
		"GIT binary patch", "Binary files ",
	}, func(head string) bool { return strings.HasPrefix(s.lines[at], head) })
}

// names reports whether the two lines with the names of a file stand here.
func (s *scanner) names(at int) bool {
	return at+1 < len(s.lines) && strings.HasPrefix(s.lines[at], "--- ") && strings.HasPrefix(s.lines[at+1], "+++ ")
}

// hunk reads a hunk, and counts its lines anew: who writes a diff by hand, or
// is a model of language, miscounts.
func (s *scanner) hunk(b *strings.Builder) {
	head := strings.Fields(s.lines[s.at])
	wantOld, wantNew := span(head, 1), span(head, 2)
	s.at++
	from, old, new := s.at, 0, 0
	for s.at < len(s.lines) && !s.names(s.at) {
		line := s.lines[s.at]
		done := old >= wantOld && new >= wantNew
		if done && line == "" || line != "" && !strings.ContainsRune(` +-\`, rune(line[0])) {
			break
		}
		if line == "" || line[0] == ' ' {
			old, new = old+1, new+1
		} else if line[0] == '-' {
			old++
		} else if line[0] == '+' {
			new++
		}
		s.at++
	}
	lines := s.lines[from:s.at]
	for len(lines) > 0 && lines[len(lines)-1] == "" { // those stand between two proposals
		lines, old, new = lines[:len(lines)-1], old-1, new-1
	}
	fmt.Fprintf(b, "@@ -%s,%d +%s,%d @@\n", start(head, 1), old, start(head, 2), new)
	write(b, lines)
}

// start and span are the two parts of the i-th field of a hunk's header.
func start(head []string, i int) string {
	if i >= len(head) {
		return "1"
	}
	text, _, _ := strings.Cut(head[i][1:], ",")
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return "1"
}

func span(head []string, i int) int {
	if i >= len(head) {
		return 0
	}
	_, text, two := strings.Cut(head[i], ",")
	if n, err := strconv.Atoi(text); two && err == nil {
		return n
	}
	return 1
}
