package pawldrive

import "reflect"

// madeInputs is how many inputs are made up for a function that nothing called.
const madeInputs = 24

// makeUp gives a function inputs that a caller might have, of its arguments' types
// and the constants of its code, and receivers that its constructors make.
func (f *function) makeUp(seed uint64) {
	if f.Like == nil {
		return
	}
	m, like := newMutator(f, seed), reflect.TypeOf(f.Like)
	for tries := 0; tries < 4*madeInputs && len(f.inputs) < madeInputs; tries++ {
		args, ok := caller{m}.argsFor(like, b2i(f.Receiver))
		if !ok {
			break
		}
		if f.Receiver {
			none := reflect.Zero(like.In(0)).Interface()
			c := caller{m}.construction(none)
			if c == nil {
				break
			}
			recv := f.setUp(&script{before: []*input{c}}, none, baseOf, &calls{relaxed: map[int]bool{}})
			if recv == nil {
				continue
			}
			args = append([]any{recv}, args...)
		}
		f.inputs = append(f.inputs, &input{args: args, cand: f.Cand, base: f.Base, generated: true})
	}
	if len(f.inputs) > 0 {
		f.notes["what callers call it with: no test and no benchmark does, and its inputs are made up"] = true
	}
}

// recorded counts the inputs that tests and benchmarks brought.
func (f *function) recorded() int {
	n := len(f.large)
	for _, in := range f.inputs {
		n += b2i(!in.generated)
	}
	return n
}
