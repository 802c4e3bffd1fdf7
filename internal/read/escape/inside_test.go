package escape

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestInside(t *testing.T) {
	dep, call, outer := model.Pos{File: "/dep.go", Line: 3}, model.Pos{File: "a.go", Line: 5, Col: 9}, model.Pos{File: "a.go", Line: 40}
	n := newNotes([]model.Note{
		{Kind: model.NoteEscape, Chain: []model.Pos{dep, call}, Message: "p.v escapes to heap"},
		{Kind: model.NoteEscape, Chain: []model.Pos{dep, call, outer}, Message: "another escapes to heap"},
		{Kind: model.NoteEscape, Chain: []model.Pos{call}, Message: "x escapes to heap"},
	}, nil)
	got := n.Inside([]model.Pos{{File: "a.go", Line: 5}})
	if len(got) != 1 || got[0].Message != "p.v escapes to heap" {
		t.Errorf("notes %+v", got)
	}
	if got := n.Inside([]model.Pos{{File: "a.go", Line: 6}}); len(got) > 0 {
		t.Errorf("notes of another line: %+v", got)
	}
}
