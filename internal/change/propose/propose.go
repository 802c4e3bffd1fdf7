package propose

import (
	"context"
	"reflect"
	"slices"
	"sort"

	"github.com/pawl-dev/pawl/internal/change/propose/boxes"
	"github.com/pawl-dev/pawl/internal/change/propose/buffers"
	"github.com/pawl-dev/pawl/internal/change/propose/classes"
	"github.com/pawl-dev/pawl/internal/change/propose/cold"
	"github.com/pawl-dev/pawl/internal/change/propose/copies"
	"github.com/pawl-dev/pawl/internal/change/propose/detours"
	"github.com/pawl-dev/pawl/internal/change/propose/inline"
	"github.com/pawl-dev/pawl/internal/change/propose/lookups"
	"github.com/pawl-dev/pawl/internal/change/propose/loops"
	"github.com/pawl-dev/pawl/internal/change/propose/pools"
	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/reflects"
	"github.com/pawl-dev/pawl/internal/change/propose/regexps"
	"github.com/pawl-dev/pawl/internal/change/propose/sizes"
	"github.com/pawl-dev/pawl/internal/change/propose/storage"
	"github.com/pawl-dev/pawl/internal/change/propose/text"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Config says what to load.
type Config = prove.Config

// A Refusal says why a place of the right shape is left alone.
type Refusal = prove.Refusal

// A Program is the part of a module that changes are proposed for. It is for
// one goroutine.
type Program struct {
	engine *prove.Program
	told   map[place][]told
}

// A place is what tells most targets apart.
type place struct {
	benchmark model.Benchmark
	resource  model.Resource
	at        model.Pos
}

// A told is what Changes has said of a target: a run asks again whenever it has measured other benchmarks.
type told struct {
	of       model.Target
	changes  []model.Change
	refusals []Refusal
}

// Load type-checks the packages that cfg.Patterns name and what they import of
// the main module. A package that does not compile is an error.
func Load(ctx context.Context, cfg Config) (*Program, error) {
	p, err := prove.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return of(p), nil
}

func of(p *prove.Program) *Program { return &Program{p, make(map[place][]told)} }

// TypeCheck applies edits in memory and type-checks the packages they touch.
// It returns the first error.
func (p *Program) TypeCheck(edits []model.Edit) error { return p.engine.TypeCheck(edits) }

// A Transformation proposes changes for the costs it knows.
type Transformation = prove.Transformation

// All returns the transformations, in the order in which they are tried.
func All() []Transformation {
	return []Transformation{
		storage.Scratch,
		storage.Reuse,
		storage.ScratchResult,
		storage.Refill,
		storage.Slab,
		storage.Joint,
		storage.Together,
		cold.Call,
		cold.Copy,
		cold.Format,
		cold.Later,
		cold.BranchCopy,
		cold.LazyMap,
		cold.ReadyFirst,
		sizes.Capacity,
		sizes.StackRoom,
		sizes.ListSlab, // where lists stay short
		sizes.FirstRoom,
		sizes.AppendRoom,
		sizes.MapRoom,
		sizes.BoundMake,
		sizes.Backing,
		sizes.Grow,
		buffers.BufferText, // on the stack, where a caller that needs little pays least
		sizes.TextRoom,
		sizes.Joined,
		boxes.Lazy,
		boxes.Value,
		boxes.Carrier,
		pools.Pool(storage.Fits),
		lookups.Once,
		text.AppendFormat,
		text.FormatText,
		text.Conversion,
		text.LookupBytes,
		text.RuneText,
		text.FormatAny,
		text.Hashed,
		copies.Append,
		copies.Pass,
		buffers.StackText,
		detours.TypedSort,
		detours.TypedHeap,
		buffers.GrownText,
		buffers.JoinedText,
		buffers.OneShot,
		detours.KeepString,
		detours.TextPieces,
		buffers.Pieces,
		buffers.StackPieces,
		buffers.Lines,
		buffers.Fitted,
		detours.OneReplacer,
		detours.FoldCompare,
		detours.CompareParts,
		detours.ReadFull,
		detours.States,
		detours.Queue,
		detours.Power,
		detours.Decimal,
		reflects.Cache,
		reflects.MapRange,
		reflects.Zeroed,
		reflects.Binary,
		regexps.ToCode,
		regexps.Literal,
		loops.Unchanged,
		loops.BulkAppend,
		loops.CopyLoop,
		loops.ByteSearch,
		loops.LocalFields,
		inline.Split,
		inline.CallerStack,
		loops.Hoist,
		loops.Again,
		classes.Table,
		classes.Search,
		classes.Loop,
		lookups.Merge,
		lookups.Switch,
		lookups.List,
		lookups.Set,
		storage.TextSlab,
	}
}

// Changes runs all transformations on t. Equal changes are returned once;
// refusals are sorted by place and returned only for places without a change
// of the same kind.
func (p *Program) Changes(t model.Target) ([]model.Change, []Refusal) {
	bare, at := t, place{t.Benchmark, t.Resource, t.At}
	bare.ID, bare.Rank, bare.Skipped, bare.Leads = "", 0, "", nil // where it stands among others, and what came of it
	i := slices.IndexFunc(p.told[at], func(o told) bool { return reflect.DeepEqual(o.of, bare) })
	if i < 0 {
		changes, refusals := p.find(t)
		i, p.told[at] = len(p.told[at]), append(p.told[at], told{bare, changes, refusals})
	}
	changes := slices.Clone(p.told[at][i].changes)
	for j := range changes {
		changes[j].Targets = []model.Target{t}
	}
	return changes, slices.Clone(p.told[at][i].refusals)
}

// find is Changes of a target that nobody has asked about.
func (p *Program) find(t model.Target) ([]model.Change, []Refusal) {
	var changes []model.Change
	var refusals []Refusal
	ids := map[string]bool{}
	seen := map[Refusal]bool{}
	for _, tr := range All() {
		if !tr.Saves.Has(t.Resource) {
			continue
		}
		cs, rs := tr.Changes(p.engine, t)
		for _, c := range cs {
			if !ids[c.ID] {
				ids[c.ID] = true
				changes = append(changes, c)
			}
		}
		for _, r := range rs {
			if !seen[r] {
				seen[r] = true
				refusals = append(refusals, r)
			}
		}
	}
	sort.SliceStable(refusals, func(i, j int) bool {
		a, b := refusals[i].At, refusals[j].At
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line
	})
	return changes, refusals
}
