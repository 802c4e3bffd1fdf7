package leads

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// ways are what helps against an escape, by how the compiler says that the value
// leaves: the words in brackets at the end of a step of its flow, and of its note.
var ways = []struct{ how, try string }{
	{"(call parameter)", "what is called keeps it, or is found at run time only: keep the memory in the receiver or take it from the caller, or call a function that the compiler knows"},
	{"(interface-converted)", "a typed parameter, or a type parameter, keeps the value out of the interface"},
	{"(captured by a closure)", "hand the closure its values as parameters, or make it once and keep it"},
	{"(return)", "return the value itself, or let the caller give the memory (an Append form, or a pointer to fill in)"},
	{"(too large for stack)", "memory of this size is always on the heap: keep it in the receiver, or in a sync.Pool"},
	{"(non-constant size)", "a constant size, or an array that suffices in most cases, can stay on the stack; else let the caller give the memory"},
	{"(spill)", "a slice or a pointer to it outlives the call: copy out what is kept, and the rest stays on the stack"},
	{"(assign)", "it is stored in what lives longer: store the value instead of the pointer, or memory that is there already"},
	{"(star-assign)", "it is stored behind a pointer: store the value, or memory that is there already"},
	{"(slice-literal-element)", "it is put into a slice that is on the heap: a slice of values has one allocation for all"},
	{"(struct literal element)", "it is put into a struct that is on the heap: a field of the value's own type has no allocation of its own"},
}

// escaped is the lead of an allocation where the compiler says why it is one, by the
// last step of the value's way that the module's own code takes. Of what only a
// dependency does there is none: nothing can be changed there.
func escaped(t model.Target) (model.Lead, bool) {
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape {
			continue
		}
		for _, step := range slices.Backward(n.Flow) {
			for _, w := range ways {
				if at := step.At.File; at != "" && !filepath.IsAbs(at) && strings.HasSuffix(step.Text, w.how) {
					return model.Lead{Kind: model.LeadCompiler, Seen: n.Message, Try: w.try}, true
				}
			}
		}
	}
	return model.Lead{}, false
}
