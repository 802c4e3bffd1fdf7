package tree

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A filePatch is what a unified diff says about one file.
type filePatch struct {
	old, new string // as written, without quotes; "/dev/null" for none
	created  bool
	deleted  bool
	refuse   string // why it cannot become edits: "deletes the file", …
	hunks    []hunk
	line     int // of the patch, for messages

	// What only git's header says; ApplyPatch can do it.
	from, to string // of a rename or copy; never with a prefix
	renamed  bool   // and not copied
	mode     string // the new one, where it changes or the file is made
	index    string // "old..new", the ids of the blobs
	binary   string // what follows GIT binary patch
	without  bool   // it is said to be binary, but not what it becomes
	link     bool   // it is of a submodule
}

// A hunk replaces some lines, with the context around them.
type hunk struct {
	oldStart, oldLen int
	newStart, newLen int
	lines            []hunkLine
	line             int
}

// A hunkLine is one line of a hunk with its newline, if it has one.
type hunkLine struct {
	sign byte // ' ', '-' or '+'
	text string
}

// parsePatch reads a unified diff as diff -u, git diff, git format-patch and
// Snapshot.Diff write it. Text around the diffs is skipped.
func parsePatch(data []byte) ([]filePatch, error) {
	p := &patchParser{lines: splitLines(data)}
	for p.at < len(p.lines) {
		if err := p.next(); err != nil {
			return nil, fmt.Errorf("line %d of the patch: %w", p.at+1, err)
		}
	}
	return p.files, nil
}

type patchParser struct {
	lines []string
	at    int
	files []filePatch
	git   bool // the last file was opened by a "diff --git" line whose header goes on
}

// header returns line i without its end; empty past the last line.
func (p *patchParser) header(i int) string {
	if i >= len(p.lines) {
		return ""
	}
	return strings.TrimRight(p.lines[i], "\r\n")
}

// next takes the line at p.at, or the hunk that it begins.
func (p *patchParser) next() error {
	line := p.header(p.at)
	switch {
	case strings.HasPrefix(line, "diff --git "):
		old, new := gitNames(strings.TrimPrefix(line, "diff --git "))
		p.files = append(p.files, filePatch{old: old, new: new, line: p.at + 1})
		p.git = true
	case p.git && p.extended(line):
	case strings.HasPrefix(line, "--- ") && strings.HasPrefix(p.header(p.at+1), "+++ ") && strings.HasPrefix(p.header(p.at+2), "@@ -"):
		p.names(line[4:], p.header(p.at + 1)[4:])
		p.at++
	case strings.HasPrefix(line, "@@ -") && len(p.files) > 0:
		return p.hunk(line)
	}
	p.at++
	return nil
}

// extended takes a line of git's extended header.
func (p *patchParser) extended(line string) bool {
	f := &p.files[len(p.files)-1]
	refuse := func(why string) {
		f.refuse = cmp.Or(f.refuse, why)
	}
	switch {
	case strings.HasPrefix(line, "new file mode "):
		f.created = true
		f.setMode(line[len("new file mode "):])
		if f.mode != modePlain {
			refuse("makes a file of mode " + f.mode + ", and only plain ones (100644) can be made")
		}
	case strings.HasPrefix(line, "deleted file mode "):
		f.deleted = true
		f.link = f.link || strings.HasSuffix(line, modeSubmodule)
		refuse("deletes the file")
	case strings.HasPrefix(line, "new mode "):
		f.setMode(line[len("new mode "):])
		refuse("changes the file's mode")
	case strings.HasPrefix(line, "old mode "):
		refuse("changes the file's mode")
	case strings.HasPrefix(line, "rename "):
		f.renamed = true
		f.moves(line[len("rename "):])
		refuse("renames the file (git diff --no-renames shows it as two files, one deleted)")
	case strings.HasPrefix(line, "copy "):
		f.moves(line[len("copy "):])
		refuse("copies a file (make the patch with git diff --no-renames)")
	case strings.HasPrefix(line, "index "):
		f.index, _, _ = strings.Cut(line[len("index "):], " ")
		f.link = f.link || strings.HasSuffix(line, " "+modeSubmodule)
	case strings.HasPrefix(line, "GIT binary patch"):
		f.binary = p.binary()
		refuse("changes a binary file")
	case strings.HasPrefix(line, "Binary files "):
		f.without = true
		refuse("changes a binary file")
	default:
		return false
	}
	return true
}

const modePlain = "100644"

func (f *filePatch) setMode(mode string) {
	f.mode = mode
	f.link = f.link || mode == modeSubmodule
}

// moves takes what follows "rename" or "copy": "from NAME" or "to NAME".
func (f *filePatch) moves(s string) {
	if name, ok := strings.CutPrefix(s, "from "); ok {
		f.from = wholeName(name)
	} else if name, ok := strings.CutPrefix(s, "to "); ok {
		f.to = wholeName(name)
	}
}

// binary takes the lines after "GIT binary patch", up to the last that p.next
// steps over: "literal N" or "delta N" and lines in base 85, twice.
func (p *patchParser) binary() string {
	var b strings.Builder
	for ; p.at+1 < len(p.lines); p.at++ {
		line := p.header(p.at + 1)
		size := strings.HasPrefix(line, "literal ") || strings.HasPrefix(line, "delta ")
		if line != "" && !size && (strings.Contains(line, " ") || len(line) < 6) {
			break
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// names takes the --- and +++ lines.
func (p *patchParser) names(old, new string) {
	old, new = plainName(old), plainName(new)
	if !p.git {
		p.files = append(p.files, filePatch{line: p.at + 1})
	}
	p.git = false
	f := &p.files[len(p.files)-1]
	f.old, f.new = old, new
	f.created = f.created || old == devNull
	f.deleted = f.deleted || new == devNull
	if new == devNull && f.refuse == "" {
		f.refuse = "deletes the file"
	}
}

const devNull = "/dev/null"

// hunk reads a hunk from its @@ line on, by the counts that it gives.
func (p *patchParser) hunk(line string) error {
	p.git = false
	h, err := hunkHeader(line)
	if err != nil {
		return err
	}
	h.line = p.at + 1
	p.at++
	old, new := h.oldLen, h.newLen
	for old > 0 || new > 0 {
		if p.at >= len(p.lines) {
			return errors.New("the patch ends within a hunk")
		}
		text := p.lines[p.at]
		sign := text[0]
		switch {
		case sign == '\n' || sign == '\r': // mailers strip the blank of an empty line
			sign, text = ' ', " "+text
		case sign == '\\':
			h.dropNewline(text)
			p.at++
			continue
		}
		switch sign {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		default:
			return fmt.Errorf("a line of a hunk begins with %q", sign)
		}
		if old < 0 || new < 0 {
			return errors.New("a hunk has other lines than its header says")
		}
		h.lines = append(h.lines, hunkLine{sign, text[1:]})
		p.at++
	}
	if strings.HasPrefix(p.header(p.at), `\`) {
		h.dropNewline(p.lines[p.at])
		p.at++
	}
	f := &p.files[len(p.files)-1]
	f.hunks = append(f.hunks, h)
	return nil
}

// dropNewline takes the newline from the last line, since marker, which is
// `\ No newline at end of file`, stands after it. Its own end tells whether a
// CR before the newline is the file's, or came with a patch in CRLF.
func (h *hunk) dropNewline(marker string) {
	n := len(h.lines)
	if n == 0 {
		return
	}
	end := "\n"
	if strings.HasSuffix(marker, "\r\n") {
		end = "\r\n"
	}
	h.lines[n-1].text = strings.TrimSuffix(h.lines[n-1].text, end)
}

// hunkHeader reads "@@ -start[,len] +start[,len] @@ …".
func hunkHeader(line string) (hunk, error) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[3] != "@@" || fields[1][0] != '-' || fields[2][0] != '+' {
		return hunk{}, fmt.Errorf("no hunk header: %q", line)
	}
	var h hunk
	var err1, err2 error
	h.oldStart, h.oldLen, err1 = hunkSpan(fields[1][1:])
	h.newStart, h.newLen, err2 = hunkSpan(fields[2][1:])
	if err := errors.Join(err1, err2); err != nil {
		return hunk{}, fmt.Errorf("no hunk header: %q", line)
	}
	return h, nil
}

// hunkSpan reads "start[,len]"; the length is one when it is not given.
func hunkSpan(s string) (start, length int, err error) {
	a, b, two := strings.Cut(s, ",")
	n, err := strconv.ParseUint(a, 10, 31)
	if err != nil || !two {
		return int(n), 1, err
	}
	m, err := strconv.ParseUint(b, 10, 31)
	return int(n), int(m), err
}

// locate returns the line of the file at which the hunk applies, counted from
// zero and at least from: where the header says, moved by what earlier hunks
// moved, or else the nearest place where all its old lines stand.
func (h hunk) locate(file []string, from, moved int) (int, bool) {
	var old []string
	for _, l := range h.lines {
		if l.sign != '+' {
			old = append(old, l.text)
		}
	}
	hint := h.oldStart - 1 + moved
	if h.oldLen == 0 {
		hint++ // "after line n"
		return hint, hint >= from && hint <= len(file)
	}
	fits := func(at int) bool {
		return at >= from && at+len(old) <= len(file) && slices.Equal(file[at:at+len(old)], old)
	}
	hint = max(0, min(hint, len(file)))
	for off := 0; off <= len(file); off++ {
		if fits(hint - off) {
			return hint - off, true
		}
		if fits(hint + off) {
			return hint + off, true
		}
	}
	return 0, false
}

// recode returns the hunk with other ends of lines.
func (h hunk) recode(eol func(string) string) hunk {
	h.lines = slices.Clone(h.lines)
	for i, l := range h.lines {
		h.lines[i].text = eol(l.text)
	}
	return h
}

// The ways to read a patch: as it is, and, since git keeps LF where a working
// tree has CRLF and mail turns one into the other, with the other ends.
var endings = []func(string) string{
	func(s string) string { return s },
	func(s string) string {
		if t, ok := strings.CutSuffix(s, "\n"); ok && !strings.HasSuffix(t, "\r") {
			return t + "\r\n"
		}
		return s
	},
	func(s string) string {
		if t, ok := strings.CutSuffix(s, "\r\n"); ok {
			return t + "\n"
		}
		return s
	},
}
