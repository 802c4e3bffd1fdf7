package buffers

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// Before there was Cut, the first piece is cut off where it is found.
func TestPiecesBeforeCut(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.17\n"))
	provetest.Write(t, dir, "x.go", []byte(`package m

import "strings"

func Name(tag string) string {
	tag = strings.SplitN(tag, ",", 2)[0]
	name := strings.Split(tag, ":")[0]
	return name
}
`))
	p := provetest.Load(t, dir)
	for line, want := range map[int]string{
		6: "\tif end := strings.Index(tag, \",\"); end >= 0 {\n\t\ttag = tag[:end]\n\t}\n",
		7: "\tname := tag\n\tif end := strings.Index(name, \":\"); end >= 0 {\n\t\tname = name[:end]\n\t}\n",
	} {
		changes, refusals := Pieces.Changes(p, model.Target{At: model.Pos{File: "x.go", Line: line}})
		got := ""
		for _, c := range changes {
			got += c.Edits[0].New
		}
		if got != want {
			t.Errorf("line %d: the edit is %q, want %q; refused: %v", line, got, want, refusals)
		}
	}
}
