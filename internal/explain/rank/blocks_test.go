package rank

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// TestShareBlocks: what several lines of a function write to grows in each of them.
func TestShareBlocks(t *testing.T) {
	at := func(fn, leaf string, module bool, kind model.ReasonKind, block int64) model.Target {
		return model.Target{Func: fn, Leaf: model.Frame{Func: leaf, Module: module}, Reason: model.Reason{Kind: kind}, Block: block}
	}
	targets := []model.Target{
		at("m.F", "strings.(*Builder).WriteString", false, model.ReasonLibrary, 16),
		at("m.F", "strings.(*Builder).WriteByte", false, model.ReasonLibrary, 64),
		at("m.F", "fmt.Sprintf", false, model.ReasonLibrary, 128),
		at("m.G", "strings.(*Builder).WriteByte", false, model.ReasonLibrary, 256),
		at("m.F", "m.F", true, model.ReasonAppend, 512),
		at("m.F", "m.F", true, model.ReasonAppend, 1024),
		at("m.F", "m.F", true, model.ReasonMap, 32),
		at("m.F", "m.F", true, model.ReasonMap, 48),
	}
	shareBlocks(targets)
	for i, want := range []int64{64, 64, 128, 256, 1024, 1024, 32, 48} {
		if targets[i].Block != want {
			t.Errorf("target %d: %d bytes, want %d", i, targets[i].Block, want)
		}
	}
}
