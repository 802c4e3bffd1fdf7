package propose

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/cold"
	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/sizes"
	"github.com/pawl-dev/pawl/internal/change/propose/text"
	"github.com/pawl-dev/pawl/internal/model"
)

// covered has the rules whose fix a transformation makes as well, with
// obligations that it proves: where it refuses, the rule's fix is no way round.
var covered = map[string]bool{"scratchfield": true}

// sizing has the rules whose fix is left out where capacity-hint has a change:
// they size one loop, it sizes all that fill the same thing.
var sizing = map[string]bool{"mapsize": true, "slicesize": true}

// Fixes returns the changes that rules' fixes make on the line of t, and a
// refusal for each that cannot be made. The files of the findings are named as
// those of the program.
func (p *Program) Fixes(findings []model.Finding, t model.Target) ([]model.Change, []Refusal) {
	var changes []model.Change
	var refusals []Refusal
	for _, f := range findings {
		if f.Fix == nil || covered[f.Rule] || superseded(p.engine, f, t) || f.At.File != t.At.File || t.At.Line < f.First || t.At.Line > f.Last {
			continue
		}
		if sizing[f.Rule] && sizes.Hinted(p.engine)[model.Pos{File: t.At.File, Line: t.At.Line}] {
			continue
		}
		edits, err := p.engine.Settle(f.Fix.Edits)
		if err != nil {
			refusals = append(refusals, Refusal{Kind: f.Rule, At: f.At, Why: err.Error()})
			continue
		}
		title := f.Pkg[strings.LastIndexByte(f.Pkg, '/')+1:] + ": " + prove.Uncapitalized(f.Fix.Title)
		if f.Func != "" {
			title += " in " + f.Func
		}
		changes = append(changes, model.Change{
			ID: prove.ChangeID(f.Rule, f.Pkg, edits), Kind: f.Rule, Class: f.Class, Title: title,
			Edits: edits, Obligations: []model.Obligation{obligation(f)},
		})
	}
	return changes, refusals
}

// better has the transformations that do all that the fix of a rule does, and more: a
// text that is appended need not become a string.
var better = map[string][]Transformation{"sprintf": {text.AppendFormat, text.FormatText}, "deadformat": {cold.Format}}

// superseded reports whether a transformation proposes what is better than the fix of a
// finding.
func superseded(p *prove.Program, f model.Finding, t model.Target) bool {
	if better[f.Rule] == nil || f.At.File != t.At.File || t.At.Line < f.First || t.At.Line > f.Last {
		return false
	}
	return slices.ContainsFunc(better[f.Rule], func(tr Transformation) bool {
		changes, _ := tr.Changes(p, t)
		return len(changes) > 0
	})
}

func obligation(f model.Finding) model.Obligation {
	o := model.Obligation{Text: "rule " + f.Rule + ": " + f.Message, How: "assumed", Why: "its fix is of class B: guard and judge decide"}
	if f.Class == "A" {
		o.How, o.Why = "proven", "its fix is of class A; pawl rules "+f.Rule+" lists what was checked"
	}
	return o
}
