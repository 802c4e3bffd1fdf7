package escape

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A diagnostic is one line of a file that the compiler writes with -json=0.
// cmd/compile/internal/logopt documents the form. Lines and columns count from
// one, unlike those of the protocol it borrows.
type diagnostic struct {
	Range   lspRange `json:"range"`
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Related []struct {
		Location struct {
			URI   string   `json:"uri"`
			Range lspRange `json:"range"`
		} `json:"location"`
		Message string `json:"message"`
	} `json:"relatedInformation"`
}

type lspRange struct {
	Start struct {
		Line int `json:"line"`
		Col  int `json:"character"`
	} `json:"start"`
}

// A header is the first line of such a file.
type header struct {
	Version *int   `json:"version"`
	Package string `json:"package"`
	File    string `json:"file"`
}

// kinds maps the compiler's codes; others are of no use here and are skipped.
// An escape is reported under both of its codes, once without a message.
var kinds = map[string]model.NoteKind{
	"escape":               model.NoteEscape,
	"escapes":              model.NoteEscape,
	"leak":                 model.NoteLeak,
	"cannotInlineFunction": model.NoteCannotInline,
	"cannotInlineCall":     model.NoteCannotInline,
	"canInlineFunction":    model.NoteCanInline,
	"isInBounds":           model.NoteBounds,
	"isSliceInBounds":      model.NoteBounds,
	"nilcheck":             model.NoteNil,
	"copy":                 model.NoteCopy,
}

// parseDiagnostics reads one file of diagnostics. place turns the compiler's
// file names into those of notes. Lines that are no diagnostics are counted
// and skipped: a file that was written twice at once is still worth reading.
func parseDiagnostics(r io.Reader, place func(string) string) (notes []model.Note, bad int, err error) {
	br := bufio.NewReaderSize(r, 64<<10)
	var head header
	told := make(leaks)
	for first := true; ; first = false {
		line, rerr := br.ReadBytes('\n')
		if rerr != nil && !errors.Is(rerr, io.EOF) {
			return notes, bad, rerr
		}
		line = bytes.TrimSpace(line)
		switch {
		case first:
			if json.Unmarshal(line, &head) != nil || head.Version == nil {
				return nil, 0, errors.New("no header of the compiler's optimization log")
			}
			if *head.Version != 0 {
				return nil, 0, fmt.Errorf("optimization log of version %d; this pawl reads version 0", *head.Version)
			}
		case len(line) > 0 && !told.enough(line):
			var d diagnostic
			if json.Unmarshal(line, &d) != nil || d.Code == "" || d.Range.Start.Line < 1 {
				bad++
			} else if n, ok := d.note(head, place); ok {
				notes = append(notes, n)
				told.add(n)
			}
		}
		if rerr != nil {
			return notes, bad, nil
		}
	}
}

// leaks are the notes on parameters that leak by the parameter, each the one with the fewest dereferences:
// flows are followed through no other. A large package has a hundred thousand others, with most of the log's bytes in their flows.
type leaks map[leakAt]leak

type leakAt struct {
	line, col int
	param     string
}

type leak struct {
	message string
	derefs  int
}

var (
	leakCode = []byte(`"code":"leak"`)
	flowKey  = []byte(`,"relatedInformation":[`)
)

// enough reports whether a line is about a leak that is not followed. Its flow is not read for that.
func (l leaks) enough(line []byte) bool {
	start, _, ok := bytes.Cut(line, flowKey)
	if !bytes.Contains(start, leakCode) {
		return false
	}
	var d diagnostic
	if !ok || json.Unmarshal(append(bytes.Clone(start), '}'), &d) != nil {
		return false
	}
	param, derefs, leaks := leaking(model.Note{Kind: model.NoteLeak, Message: d.Message})
	best, known := l[leakAt{d.Range.Start.Line, d.Range.Start.Col, param}]
	return !leaks || known && (derefs > best.derefs || derefs == best.derefs && d.Message != best.message)
}

// add takes in what was read.
func (l leaks) add(n model.Note) {
	param, derefs, ok := leaking(n)
	if ok && len(n.Flow) > 0 && !generated(n.Flow) {
		l[leakAt{n.At().Line, n.At().Col, param}] = leak{n.Message, derefs}
	}
}

// inlineLoc marks an entry that leads one call further in, from the position
// before it.
const inlineLoc = "inlineLoc"

func (d diagnostic) note(head header, place func(string) string) (model.Note, bool) {
	kind, ok := kinds[d.Code]
	if !ok || kind == model.NoteEscape && d.Message == "" {
		return model.Note{}, false
	}
	n := model.Note{Kind: kind, Pkg: head.Package, Message: d.Message}
	n.Message = cmp.Or(n.Message, d.Code)
	n.Chain = append(n.Chain, position(place(head.File), d.Range))
	for i, rel := range d.Related {
		at := position(place(fileOfURI(rel.Location.URI)), rel.Location.Range)
		switch text, isFlow := strings.CutPrefix(rel.Message, "escflow:"); {
		case rel.Message == inlineLoc && i == len(n.Chain)-1 && len(n.Flow) == 0:
			n.Chain = append(n.Chain, at)
		case rel.Message == inlineLoc && len(n.Flow) > 0:
			n.Flow[len(n.Flow)-1].At = at // the innermost place of a step says most
		case isFlow:
			n.Flow = append(n.Flow, model.FlowStep{At: at, Text: strings.TrimSpace(text)})
		}
	}
	slices.Reverse(n.Chain) // the compiler writes the outermost place first
	return n, true
}

func position(file string, r lspRange) model.Pos {
	return model.Pos{File: file, Line: r.Start.Line, Col: r.Start.Col}
}

// fileOfURI returns the path of a file: URI, or the text itself when it is
// none. Code that the compiler makes is in file://%3Cautogenerated%3E, which is no valid URL.
func fileOfURI(uri string) string {
	rest, ok := strings.CutPrefix(uri, "file://")
	p, err := url.PathUnescape(rest)
	if err != nil || !ok {
		return uri
	}
	if len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:] // file:///C:/x
	}
	return filepath.FromSlash(p)
}
