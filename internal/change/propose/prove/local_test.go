package prove

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestEscapes(t *testing.T) {
	at := model.Pos{File: "x.go", Line: 3}
	note := func(kind model.NoteKind, line int, message string) model.Target {
		return model.Target{Notes: []model.Note{{Kind: kind, Chain: []model.Pos{{File: "x.go", Line: line}}, Message: message}}}
	}
	for name, c := range map[string]struct {
		target model.Target
		want   bool
	}{
		"no notes":         {model.Target{}, true},
		"moved":            {note(model.NoteEscape, 3, "moved to heap: nonce"), true},
		"escapes":          {note(model.NoteEscape, 3, "nonce escapes to heap"), true},
		"make":             {note(model.NoteEscape, 3, "make([]byte, 16) escapes to heap"), true},
		"another variable": {note(model.NoteEscape, 3, "moved to heap: nonces"), false},
		"another line":     {note(model.NoteEscape, 4, "moved to heap: key"), true},
		"another kind":     {note(model.NoteBounds, 3, "Found IsInBounds"), true},
	} {
		if got := Escapes(c.target, at, "nonce"); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
