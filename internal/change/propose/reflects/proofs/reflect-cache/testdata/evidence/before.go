// Package evidence reads members of structs by the names that a template
// language gives them.
package evidence

import "reflect"

// Get returns the member of a struct whose tag or, without one, whose name is
// member. It is nil if there is none.
func Get(from any, member string) any {
	v := reflect.ValueOf(from)
	f := v.FieldByNameFunc(func(name string) bool { // frame
		field, _ := v.Type().FieldByName(name) // hot
		if tag, ok := field.Tag.Lookup("t"); ok {
			return tag == member
		}
		return name == member
	})
	if !f.IsValid() {
		return nil
	}
	return f.Interface()
}
