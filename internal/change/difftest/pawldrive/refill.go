package pawldrive

import (
	"reflect"
	"slices"
)

// refill hands in the memory of the call before again, with what this one would have: a caller does
// so who has one buffer, and what is kept in mind of the same slice or pointer is stale then. It
// returns how to undo what it wrote.
func refill(args, before []any, from int) (undo []func()) {
	for i := from; i < len(args) && i < len(before); i++ {
		now, was := reflect.ValueOf(args[i]), reflect.ValueOf(before[i])
		if !refillable(now) || !refillable(was) || now.Type() != was.Type() {
			continue
		}
		if now.Kind() == reflect.Slice {
			old := reflect.AppendSlice(reflect.MakeSlice(was.Type(), 0, was.Len()), was)
			undo = append(undo, func() { reflect.Copy(was, old) })
			reflect.Copy(was, now)
		} else {
			old := reflect.New(was.Type().Elem()).Elem()
			old.Set(was.Elem())
			undo = append(undo, func() { was.Elem().Set(old) })
			was.Elem().Set(now.Elem())
		}
		args[i] = before[i]
	}
	return undo
}

// refillable reports whether a caller may write all of the memory that a slice or a pointer is.
func refillable(v reflect.Value) bool {
	switch {
	case !v.IsValid() || v.Kind() != reflect.Slice && v.Kind() != reflect.Pointer || v.IsNil() || !onHeap(v.UnsafePointer()):
		return false
	case v.Kind() == reflect.Slice:
		return v.Len() > 0
	}
	in := infoOf(v.Type().Elem())
	return v.Type().Elem().Kind() == reflect.Struct && in.special == ordinary && !slices.ContainsFunc(in.fields, func(f field) bool { return !f.exported })
}

// refills reports whether there is something to refill in calls like this one.
func (in *input) refills(from int) bool {
	return slices.ContainsFunc(in.args[min(from, len(in.args)):], func(a any) bool { return refillable(reflect.ValueOf(a)) })
}
