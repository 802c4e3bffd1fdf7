package tree

import (
	"bytes"
	"fmt"
	"strings"
)

// contextLines is how many unchanged lines a diff shows around a change.
const contextLines = 3

// FileDiff returns the difference between two contents of the file rel in the
// format of git diff, empty when there is none.
func FileDiff(rel string, old, new []byte) string { return unified(rel, old, true, new, true) }

// unified returns the difference between two contents of the file rel in the
// format of git diff, which git apply and patch -p1 take; empty when there is
// none. hadOld and hasNew say whether the file exists before and after.
func unified(rel string, old []byte, hadOld bool, new []byte, hasNew bool) string {
	if hadOld == hasNew && bytes.Equal(old, new) {
		return ""
	}
	var b strings.Builder
	from, to := quotePath("a/"+rel), quotePath("b/"+rel)
	fmt.Fprintf(&b, "diff --git %s %s\n", from, to)
	if !hadOld {
		b.WriteString("new file mode 100644\n")
		from = "/dev/null"
	}
	if !hasNew {
		b.WriteString("deleted file mode 100644\n")
		to = "/dev/null"
	}
	if len(old) == 0 && len(new) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", endPath(from), endPath(to))
	x, y := splitLines(old), splitLines(new)
	for _, group := range groups(diffLines(x, y)) {
		writeHunk(&b, x, y, group)
	}
	return b.String()
}

// quotePath writes a path as git does: as it is, or as a C string when a
// reader could misread it.
func quotePath(p string) string {
	var b strings.Builder
	quoted := false
	for i := range len(p) {
		c := p[i]
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
			quoted = true
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
			quoted = true
		default:
			b.WriteByte(c)
		}
	}
	if quoted {
		return `"` + b.String() + `"`
	}
	return p
}

// endPath adds the tab with which git ends a path that has a blank, so that
// what follows is no part of it.
func endPath(p string) string {
	if strings.Contains(p, " ") && p[0] != '"' {
		return p + "\t"
	}
	return p
}

// splitLines splits after each newline. The last line may have none.
func splitLines(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(b), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// A region says that lines [A0, A1) of the old text became lines [B0, B1) of
// the new one.
type region struct{ A0, A1, B0, B1 int }

// groups joins regions that are so near that their context touches.
func groups(rs []region) [][]region {
	var out [][]region
	for i, r := range rs {
		if i > 0 && r.A0-rs[i-1].A1 <= 2*contextLines {
			out[len(out)-1] = append(out[len(out)-1], r)
			continue
		}
		out = append(out, []region{r})
	}
	return out
}

func writeHunk(b *strings.Builder, x, y []string, group []region) {
	first, last := group[0], group[len(group)-1]
	lead := min(contextLines, first.A0)
	tail := min(contextLines, len(x)-last.A1)
	a0, a1 := first.A0-lead, last.A1+tail
	b0, b1 := first.B0-lead, last.B1+tail
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(a0, a1), span(b0, b1))
	at := a0
	for _, r := range group {
		writeLines(b, ' ', x[at:r.A0])
		writeLines(b, '-', x[r.A0:r.A1])
		writeLines(b, '+', y[r.B0:r.B1])
		at = r.A1
	}
	writeLines(b, ' ', x[at:a1])
}

// span writes a range of lines: its first line counted from one, or the line
// before it when it is empty, and its length.
func span(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprintf("%d", from+1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func writeLines(b *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		b.WriteByte(sign)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// diffLines returns the regions in which x and y differ, in order.
func diffLines(x, y []string) []region {
	lead := 0
	for lead < len(x) && lead < len(y) && x[lead] == y[lead] {
		lead++
	}
	tail := 0
	for tail < len(x)-lead && tail < len(y)-lead && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	rs := myers(x[lead:len(x)-tail], y[lead:len(y)-tail])
	for i := range rs {
		rs[i].A0 += lead
		rs[i].A1 += lead
		rs[i].B0 += lead
		rs[i].B1 += lead
	}
	return rs
}

// editsMax bounds the search for the shortest script, whose memory grows with
// the square of its length: 1000 takes 8 MB. Past it, the text is shown as
// replaced whole, which is just as true.
const editsMax = 1000

// myers returns a shortest edit script from x to y by the greedy algorithm of
// E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica
// 1 (1986), figure 2, kept as the furthest points of each round.
func myers(x, y []string) []region {
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	whole := []region{{0, len(x), 0, len(y)}}
	if len(x) == 0 || len(y) == 0 {
		return whole
	}
	var rounds [][]int // rounds[d][k+d]: furthest line of x on diagonal k
	for d := 0; d <= min(len(x)+len(y), editsMax); d++ {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			i := 0
			if d > 0 {
				i, _ = step(rounds[d-1], d, k)
			}
			for i < len(x) && i-k < len(y) && x[i] == y[i-k] {
				i++
			}
			row[k+d] = i
			if i >= len(x) && i-k >= len(y) {
				return backtrack(append(rounds, row), len(x), len(y))
			}
		}
		rounds = append(rounds, row)
	}
	return whole
}

// step returns where round d enters diagonal k: the line of x, and the
// diagonal it came from.
func step(prev []int, d, k int) (i, from int) {
	at := func(k int) int { return prev[k+d-1] }
	if k == -d || k != d && at(k-1) < at(k+1) {
		return at(k + 1), k + 1 // a line of y is inserted
	}
	return at(k-1) + 1, k - 1 // a line of x is deleted
}

// backtrack walks the rounds from the end and joins neighbouring steps.
func backtrack(rounds [][]int, i, j int) []region {
	var rev []region
	for d := len(rounds) - 1; d > 0; d-- {
		k := i - j
		start, from := step(rounds[d-1], d, k)
		prev := rounds[d-1][from+d-1]
		// The step goes from (prev, prev-from) to (start, start-k).
		r := region{prev, start, prev - from, start - k}
		if n := len(rev); n > 0 && rev[n-1].A0 == r.A1 && rev[n-1].B0 == r.B1 {
			rev[n-1].A0, rev[n-1].B0 = r.A0, r.B0
		} else {
			rev = append(rev, r)
		}
		i, j = prev, prev-from
	}
	out := make([]region, 0, len(rev))
	for n := len(rev) - 1; n >= 0; n-- {
		out = append(out, rev[n])
	}
	return out
}
