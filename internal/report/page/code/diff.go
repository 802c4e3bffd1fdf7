package code

import (
	"embed"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed code.html
var Files embed.FS

// A Diff is a diff as the page shows it. Where it is longer than there is
// room for, More says how many lines are left out.
type Diff struct {
	Files []diffFile
	More  string
}

// A diffHunk is a stretch of lines that stood together.
type diffHunk struct {
	In    []piece // the declaration around it
	Lines []codeLine
}

// A codeLine is one line of code with its numbers before and after.
type codeLine struct {
	Kind     string // "add", "del", "same"
	Sign     string
	Old, New string
	Pieces   []piece
}

// NewDiff takes a diff apart, up to most lines of code.
func NewDiff(diff string, most int) Diff {
	var p Diff
	var hunk []diffLine // the head of the hunk and its lines
	shown, left := 0, 0
	end := func() {
		if len(hunk) > 0 {
			f := p.file()
			f.Hunks = append(f.Hunks, newHunk(f.Name, hunk))
			hunk = nil
		}
	}
	for _, l := range parseDiff(diff) {
		switch {
		case l.Kind == "meta":
			end()
			p.meta(l.Text)
		case l.Kind != "hunk" && shown >= most:
			left++
		case l.Kind == "hunk":
			end()
			if shown < most {
				hunk = []diffLine{l}
			}
		default:
			hunk = append(hunk, l)
			shown++
		}
	}
	end()
	if left > 0 {
		p.More = words.Plural(left, "more line")
	}
	return p
}

// file returns the file that lines belong to now.
func (p *Diff) file() *diffFile {
	if len(p.Files) == 0 {
		p.Files = append(p.Files, diffFile{})
	}
	return &p.Files[len(p.Files)-1]
}

// meta reads what stands between the hunks. Text that is in no known form is no
// loss: the diff itself is in the run's directory.
func (p *Diff) meta(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "diff --git "):
		_, name, _ := strings.Cut(line, " b/")
		p.Files = append(p.Files, diffFile{Name: name})
		return
	case word == "---":
		if n := len(p.Files); n == 0 || len(p.Files[n-1].Hunks) > 0 {
			p.Files = append(p.Files, diffFile{})
		}
		if name := sideName(rest); name != "" && p.file().Name == "" {
			p.file().Name = name
		}
		return
	case word == "+++":
		if name := sideName(rest); name != "" {
			p.file().Name = name
		}
		return
	}
	switch from, renamed := strings.CutPrefix(line, "rename from "); {
	case renamed:
		p.file().What = "renamed from " + from
	case strings.HasPrefix(line, "new file"):
		p.file().What = "new file"
	case strings.HasPrefix(line, "deleted file"):
		p.file().What = "deleted"
	case strings.HasPrefix(line, "Binary files"), strings.HasPrefix(line, "GIT binary patch"):
		p.file().What = "binary"
	}
}

// sideName is the name of a file of "--- a/x" and "+++ b/x"; "" where the side
// has none.
func sideName(name string) string {
	name, _, _ = strings.Cut(name, "\t")
	if name == "/dev/null" {
		return ""
	}
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, side); ok {
			return rest
		}
	}
	return name
}

// newHunk gives the lines of a hunk their numbers and colours. Each side is
// coloured as the source that it was cut from.
func newHunk(file string, lines []diffLine) diffHunk {
	oldAt, newAt, in := hunkHead(lines[0].Text)
	var h diffHunk
	var before, after []string
	for _, l := range lines[1:] {
		c, text := codeLine{Kind: l.Kind, Sign: " "}, l.Text
		if strings.HasPrefix(text, `\`) {
			h.Lines = append(h.Lines, codeLine{Kind: "gone", Pieces: []piece{{"com", strings.TrimSpace(text[1:])}}})
			continue
		}
		if text != "" {
			text = text[1:] // the sign
		}
		if l.Kind != "add" {
			c.Old = strconv.Itoa(oldAt)
			oldAt++
			before = append(before, text)
		}
		if l.Kind != "del" {
			c.New = strconv.Itoa(newAt)
			newAt++
			after = append(after, text)
		}
		h.Lines = append(h.Lines, c)
	}
	old, now := sourceLines(file, before), sourceLines(file, after)
	for i := range h.Lines {
		switch l := &h.Lines[i]; l.Kind {
		case "add":
			l.Sign, l.Pieces, now = "+", now[0], now[1:]
		case "del":
			l.Sign, l.Pieces, old = figure.Minus, old[0], old[1:]
		case "same":
			l.Pieces, old, now = now[0], old[1:], now[1:]
		}
	}
	if in != "" {
		h.In = sourceLines(file, []string{in})[0]
	}
	return h
}

// hunkHead reads where a hunk begins on both sides, and what it stands in.
func hunkHead(head string) (before, after int, in string) {
	fields := strings.Fields(head)
	if len(fields) >= 3 {
		before, after = firstOf(fields[1]), firstOf(fields[2])
	}
	if _, rest, ok := strings.Cut(strings.TrimPrefix(head, "@@"), "@@"); ok {
		in = strings.TrimSpace(rest)
	}
	return before, after, in
}

// firstOf reads 84 of "-84,6".
func firstOf(field string) int {
	first, _, _ := strings.Cut(strings.TrimLeft(field, "+-"), ",")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
