package specimen

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	dataScript = regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`)
	pageScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	dataLink   = regexp.MustCompile(` href="data:application/json;base64,[^"]*"`)
)

// Bare takes the page's own script, the data and the link to them out of a
// page. What remains must be as WellFormed asks for, without any script.
func Bare(t *testing.T, page string, script template.JS) string {
	t.Helper()
	for _, m := range pageScript.FindAllStringSubmatch(page, -1) {
		if m[1] != string(script) {
			t.Errorf("the page has a script that is not its own: %.200s", m[1])
		}
	}
	for _, m := range dataScript.FindAllStringSubmatch(page, -1) {
		if !json.Valid([]byte(m[1])) || strings.ContainsAny(m[1], "<>&") {
			t.Errorf("the data is no JSON, or not escaped: %.200s", m[1])
		}
	}
	return dataLink.ReplaceAllString(dataScript.ReplaceAllString(pageScript.ReplaceAllString(page, ""), ""), "")
}

// The page is written so that an XML reader accepts it, which is more than
// browsers ask for. It refers to nothing outside, its pictures have their words,
// and the only data in it that is no text is offered to take along.
func WellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	ids, refs := map[string]bool{}, []string{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		allowedElement(t, start.Name.Local, attr)
		if id, ok := attr["id"]; ok {
			if ids[id] {
				t.Errorf("id %q twice", id)
			}
			ids[id] = true
		}
		if ref, ok := strings.CutPrefix(attr["href"], "#"); ok {
			refs = append(refs, ref)
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			t.Errorf("#%s leads nowhere", ref)
		}
	}
}

func allowedElement(t *testing.T, name string, attr map[string]string) {
	t.Helper()
	switch name {
	case "script", "link", "img", "iframe", "object", "form":
		t.Errorf("the page has a %s", name)
	case "svg":
		if attr["aria-hidden"] != "true" && (attr["role"] != "img" || attr["aria-label"] == "") {
			t.Errorf("a picture without words: %v", attr)
		}
	}
	for key, value := range attr {
		switch {
		case key == "href" && strings.HasPrefix(value, "#"):
		case key == "href" && name == "a" && attr["download"] != "" && rawLink.MatchString(value):
		case key == "style" && name == "div" && frameStyle.MatchString(value):
		case key == "src", key == "href", key == "style", strings.HasPrefix(key, "on"):
			t.Errorf("%s has %s=%q", name, key, value)
		}
	}
}

// frameStyle is where a frame of a flame graph stands, and how high all are.
var frameStyle = regexp.MustCompile(`^(left:[0-9.]+%;width:[0-9.]+%;top:[0-9]+px|height:[0-9]+px)$`)

var rawLink = regexp.MustCompile(`^data:(application/json|application/zip|text/plain);base64,[A-Za-z0-9+/]*=*$`)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden compares with testdata/NAME, or writes it under -update.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); go test -update writes it anew:\n%s", name, diff)
	}
}

// Written returns what write wrote.
func Written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// EscapeCode is a colour of the terminal.
var EscapeCode = regexp.MustCompile("\x1b\\[[0-9]*m")
