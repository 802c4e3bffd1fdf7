package page

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Raw is a file in the page, or where it is.
type Raw struct {
	Name, What, Size, Where string
	Link                    template.URL // empty when it does not fit
}

// NewRaw puts files into links, in order, as far as there is room: most bytes
// of them all.
func NewRaw(files []data.Raw, most int) []Raw {
	var out []Raw
	for _, f := range files {
		p := Raw{Name: f.Name, What: f.What, Size: words.Bytes(float64(len(f.Data))), Where: f.Where}
		if room := base64.StdEncoding.EncodedLen(len(f.Data)); room <= most {
			most -= room
			p.Link = template.URL("data:" + f.Type + ";base64," + base64.StdEncoding.EncodeToString(f.Data))
		}
		out = append(out, p)
	}
	return out
}

// A Bounds is how much of what can be long is shown.
type Bounds struct {
	Diff   int // lines of one diff
	Raw    int // bytes of files in links
	Flames int // 2: all flame graphs, 1: those of the whole run or of the worst benchmarks, 0: none
}

// MostBytes is how large a page may be: it is opened on telephones and sent
// with mail.
const MostBytes = 2 << 20

// WriteBounded fills the template of a kind of page with all there is, and
// where that is too much, with less.
func WriteBounded(w io.Writer, kind Kind, fill func(Bounds) any) error {
	var text []byte
	var err error
	for _, b := range []Bounds{{1000, MostBytes / 2, 2}, {300, MostBytes / 8, 2}, {300, 0, 1}, {60, 0, 1}, {10, 0, 0}} {
		if text, err = fillPage(kind, fill(b)); err != nil {
			return err
		}
		if len(text) <= MostBytes {
			break
		}
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
