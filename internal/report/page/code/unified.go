package code

import (
	"strconv"
	"strings"
)

// A diffLine is one line of a unified diff and what it is: "meta", "hunk",
// "add", "del" or "same".
type diffLine struct{ Kind, Text string }

// parseDiff takes a unified diff apart. The counts in a hunk's head say which
// lines belong to it: a removed line that begins with "--" looks like a file's
// name otherwise. Text that is no diff comes back as lines without a kind of
// their own.
func parseDiff(diff string) []diffLine {
	var out []diffLine
	before, after := 0, 0 // lines that the hunk still has on each side
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		kind := "meta"
		switch {
		case strings.HasPrefix(line, "@@"): // within a hunk, too: every line of one has a sign before it
			kind = "hunk"
			before, after = hunkSize(line)
		case before > 0 || after > 0:
			kind = inHunk(line, &before, &after)
		case strings.HasPrefix(line, `\`):
			kind = "same" // "\ No newline at end of file"
		}
		out = append(out, diffLine{kind, strings.ToValidUTF8(line, "\ufffd")})
	}
	return out
}

func inHunk(line string, before, after *int) string {
	switch {
	case strings.HasPrefix(line, "+"):
		*after--
		return "add"
	case strings.HasPrefix(line, "-"):
		*before--
		return "del"
	case strings.HasPrefix(line, `\`):
		return "same"
	}
	*before--
	*after--
	return "same"
}

// hunkSize reads "@@ -84,6 +84,10 @@". A size that is left out is one.
func hunkSize(line string) (before, after int) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0
	}
	return side(fields[1]), side(fields[2])
}

func side(field string) int {
	_, size, ok := strings.Cut(field, ",")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
