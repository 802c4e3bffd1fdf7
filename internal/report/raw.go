package report

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"time"
)

// A Raw is a file that a page offers to take along.
type Raw struct {
	Name  string // of the file: "run.json"
	What  string // what is in it
	Type  string // media type
	Where string // where it is on disk, for when it does not fit into the page
	Data  []byte
}

// A pageRaw is a file in the page, or where it is.
type pageRaw struct {
	Name, What, Size, Where string
	Link                    template.URL // empty when it does not fit
}

// newRaw puts files into links, in order, as far as there is room: most bytes
// of them all.
func newRaw(files []Raw, most int) []pageRaw {
	var out []pageRaw
	for _, f := range files {
		p := pageRaw{Name: f.Name, What: f.What, Size: size(float64(len(f.Data))), Where: f.Where}
		if room := base64.StdEncoding.EncodedLen(len(f.Data)); room <= most {
			most -= room
			p.Link = template.URL("data:" + f.Type + ";base64," + base64.StdEncoding.EncodeToString(f.Data))
		}
		out = append(out, p)
	}
	return out
}

// RawJSON offers a value as JSON, as JSON writes it but for the spaces.
func RawJSON(name, what, where string, v any) (Raw, error) {
	var spaced, buf bytes.Buffer
	if err := JSON(&spaced, v); err != nil {
		return Raw{}, err
	}
	if err := json.Compact(&buf, spaced.Bytes()); err != nil {
		return Raw{}, fmt.Errorf("packing %s: %w", name, err)
	}
	return Raw{Name: name, What: what, Type: "application/json", Where: where, Data: buf.Bytes()}, nil
}

// Archive packs files into one: a reader takes all samples or none.
func Archive(name, what, where string, files []Raw, at time.Time) (Raw, error) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at})
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			return Raw{}, fmt.Errorf("packing %s: %w", f.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return Raw{}, fmt.Errorf("packing %s: %w", name, err)
	}
	return Raw{Name: name, What: what, Type: "application/zip", Where: where, Data: buf.Bytes()}, nil
}

// A bounded is how much of what can be long is shown.
type bounded struct {
	diff   int // lines of one diff
	raw    int // bytes of files in links
	flames int // 2: all flame graphs, 1: those of the whole run or of the worst benchmarks, 0: none
}

// mostBytes is how large a page may be: it is opened on telephones and sent
// with mail.
const mostBytes = 2 << 20

// writeBounded fills the template of a kind of page with all there is, and
// where that is too much, with less.
func writeBounded(w io.Writer, kind string, fill func(bounded) any) error {
	var text []byte
	var err error
	for _, b := range []bounded{{1000, mostBytes / 2, 2}, {300, mostBytes / 8, 2}, {300, 0, 1}, {60, 0, 1}, {10, 0, 0}} {
		if text, err = fillPage(kind, fill(b)); err != nil {
			return err
		}
		if len(text) <= mostBytes {
			break
		}
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
