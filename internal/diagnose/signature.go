package diagnose

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// A Signature is what the runtime leaves in profiles of one kind, and what is
// known about it.
type Signature struct {
	Name  string
	Kind  profile.Kind // of the profile; ofRun for what is seen of a command
	Title string
	What  string // what shares are of
	// Threshold is the share from which it stands out, Least the amount that it
	// needs besides, in the unit of the profile. Both are defaults that somebody
	// chose, not limits that follow from anything.
	Threshold, Least float64
	// Idle is set where waiting is often what the program is meant to do: these come
	// after those where it is not.
	Idle bool

	Meaning string   // what it is
	Lever   string   // what changes it
	Before  string   // what must hold before that is done
	Gap     string   // what it can break
	Rules   []string // entries of the catalogue, the likeliest first
	// ByCall is set where what the lines call says which rules fit; those of Always
	// fit in any case.
	ByCall bool
	Always []string
}

// Signatures returns all signatures, those of CPU profiles first.
func Signatures() []Signature {
	all := append(cpuSignatures(), waitSignatures()...)
	return append(append(all, heapSignatures()...), observedSignatures()...)
}

// signatureOf returns one of them.
func signatureOf(kind profile.Kind, name string) (Signature, bool) {
	for _, s := range Signatures() {
		if s.Kind == kind && s.Name == name {
			return s, true
		}
	}
	return Signature{}, false
}

// byCall are the rules for what a line calls, by the beginning of its symbol.
// Where lines show what they call, only these are named.
var byCall = []struct{ call, rule string }{
	{"runtime.growslice", "slicesize"},
	{"runtime.mapassign", "mapsize"},
	{"internal/runtime/maps.", "mapsize"},
	{"runtime.makemap", "scratch"},
	{"runtime.makeslice", "scratch"},
	{"runtime.newobject", "scratchfield"},
	{"runtime.convT", "boxing"},
	{"runtime.concatstring", "tokenbuild"},
	{"runtime.makechan", "itemalloc"},
	{"fmt.Errorf", "staticerror"},
	{"fmt.", "sprintf"},
	{"io.ReadAll", "readall"},
	{"regexp.Compile", "regexpcompile"},
	{"regexp.MustCompile", "regexpcompile"},
	{"encoding/json.", "jsonfields"},
	{"encoding/binary.", "binaryscalar"},
	{"math/big.", "bigrat"},
	{"time.After", "timeafter"},
	{"time.NewTimer", "timeafter"},
	{"strings.Split", "splitcut"},
	{"bytes.Split", "splitcut"},
	{"runtime.GC", "gcrequest"},
	{"runtime.ReadMemStats", "readmemstats"},
	{"runtime.Stack", "stackall"},
	{"runtime/debug.FreeOSMemory", "freememory"},
}

// ofCalls returns the rules for what lines are seen to call, those of the
// costliest line first.
func ofCalls(lines []model.SignCaller) []string {
	var out []string
	for _, l := range lines {
		for _, b := range byCall {
			if strings.HasPrefix(l.Via, b.call) {
				if !slices.Contains(out, b.rule) {
					out = append(out, b.rule)
				}
				break
			}
		}
	}
	return out
}

// name puts the rules into a sign whose lines are known.
func (s Signature) name(out *model.Sign) {
	rules := s.Rules
	if s.ByCall {
		if seen := ofCalls(out.Callers); len(seen) > 0 {
			rules = append(seen, s.Always...)
		}
	}
	out.Rules = named(rules)
}

// named returns entries of the catalogue, with their titles.
func named(rules []string) []model.SignRule {
	titles := map[string]string{}
	for _, e := range catalogue.All() {
		titles[e.Rule.Name] = e.Rule.Title
	}
	out := []model.SignRule{}
	for _, name := range rules {
		out = append(out, model.SignRule{Name: name, Title: titles[name]})
	}
	return out
}

// sign begins what is said of a signature that was seen.
func (s Signature) sign() model.Sign {
	return model.Sign{
		Name: s.Name, Title: s.Title, What: s.What, Idle: s.Idle, Threshold: s.Threshold, Least: s.Least,
		Meaning: s.Meaning, Lever: s.Lever, Before: s.Before, Gap: s.Gap,
	}
}
