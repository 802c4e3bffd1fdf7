package pawldrive

import "reflect"

// A step is what the generated steps of sequences are.
type step interface {
	// PawlCall returns what is called, with a dot in front where it is a method, and with which fields.
	PawlCall() (name string, fields []string)
	// PawlCalls returns how many calls there are to choose from.
	PawlCalls() int
}

var stepType = reflect.TypeFor[step]()

// otherSteps changes the order of a list of steps, what is called in it, and on which value. It reports false for another list, and
// leaves half of the lists to the changes of any other argument.
func (m *mutator) otherSteps(list []any) bool {
	v := reflect.ValueOf(list[0])
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Len() == 0 || !v.Type().Elem().Implements(stepType) || m.r.one(2) {
		return false
	}
	steps := reflect.MakeSlice(v.Type(), 0, v.Len()+4)
	steps = reflect.AppendSlice(steps, v)
	for more := true; more; more = m.r.one(2) {
		from, to := m.r.n(steps.Len()), m.r.n(steps.Len()+1)
		x := reflect.New(v.Type().Elem()).Elem()
		x.Set(steps.Index(from))
		if m.r.one(2) {
			x.FieldByName("Of").SetInt(int64(m.r.n(x.Interface().(step).PawlCalls())))
		}
		if m.r.one(2) {
			x.FieldByName("On").SetInt(int64(m.r.n(4)))
			x.FieldByName("With").SetInt(int64(m.r.n(4)))
		}
		rest := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, 0), steps.Slice(to, steps.Len()))
		steps = reflect.AppendSlice(reflect.Append(steps.Slice(0, to), x), rest)
	}
	list[0] = steps.Interface()
	return true
}
