package diagnose

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// A Signature is what the runtime leaves in profiles of one kind, and what is
// known about it.
type Signature struct {
	Name  string
	Kind  profile.Kind
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
}

// Signatures returns all signatures, those of CPU profiles first.
func Signatures() []Signature {
	all := append(cpuSignatures(), waitSignatures()...)
	return append(all, heapSignatures()...)
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

// sign begins what is said of a signature that was seen.
func (s Signature) sign() model.Sign {
	out := model.Sign{
		Name: s.Name, Title: s.Title, What: s.What, Threshold: s.Threshold, Least: s.Least,
		Meaning: s.Meaning, Lever: s.Lever, Before: s.Before, Gap: s.Gap,
	}
	titles := map[string]string{}
	for _, e := range catalogue.All() {
		titles[e.Rule.Name] = e.Rule.Title
	}
	for _, name := range s.Rules {
		out.Rules = append(out.Rules, model.SignRule{Name: name, Title: titles[name]})
	}
	return out
}
