package escape

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

const inliningCall = "inlining call to "

// parseText reads what go list or go build print with -gcflags=-m and returns
// the calls that were inlined, each once. Names of files are relative to dir
// when they are not absolute; place turns them into those of notes. Lines of
// other forms are skipped: with -m the compiler says much, and cmd/go adds its
// own.
func parseText(r io.Reader, dir string, place func(string) string) ([]model.Note, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	var notes []model.Note
	type call struct {
		at     model.Pos
		callee string
	}
	seen := make(map[call]bool)
	pkg := ""
	for {
		line, err := br.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return notes, err
		}
		if p, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(strings.TrimSpace(p), " ") // "pkg [pkg.test]"
		} else if at, callee, ok := inlined(line); ok {
			if !filepath.IsAbs(at.File) && !strings.HasPrefix(at.File, "<") {
				at.File = filepath.Join(dir, at.File)
			}
			at.File = place(at.File)
			if c := (call{at, callee}); !seen[c] {
				seen[c] = true
				notes = append(notes, model.Note{Kind: model.NoteInlined, Pkg: pkg, Chain: []model.Pos{at}, Message: inliningCall + callee})
			}
		}
		if err != nil {
			return notes, nil
		}
	}
}

// inlined reads "file:line:col: inlining call to F".
func inlined(line string) (at model.Pos, callee string, ok bool) {
	head, callee, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": "+inliningCall)
	if !ok || callee == "" {
		return at, "", false
	}
	head, at.Col = cutNumber(head)
	at.File, at.Line = cutNumber(head)
	return at, callee, at.Line > 0 && at.Col > 0 && at.File != ""
}

// cutNumber splits "x:12" into x and 12; the number is 0 when there is none.
func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 0 {
		return s, 0
	}
	return s[:i], n
}
