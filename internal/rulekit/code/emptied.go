package code

import "go/types"

// Emptied writes the loop that takes all entries out of a map x, or makes all elements of a slice x zero, where Go has no
// clear. The compiler makes one call of it. key is a free name, and elem is how the type of an element reads. It is "" where
// there is no such loop: delete does not find a key that is NaN.
func Emptied(x string, t types.Type, key, elem string) string {
	does := ""
	switch t := t.Underlying().(type) {
	case *types.Map:
		if Reflexive(t.Key()) {
			does = "delete(" + x + ", " + key + ")"
		}
	case *types.Slice:
		if zero := zeroText(t.Elem(), elem); zero != "" {
			does = x + "[" + key + "] = " + zero
		}
	}
	if does == "" {
		return ""
	}
	return "for " + key + " := range " + x + " {\n" + does + "\n}"
}

// zeroText writes the zero value of a type that reads as text, which may be ""; "" for a type parameter.
func zeroText(t types.Type, text string) string {
	if IsTypeParam(t) {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return `""`
		case info&types.IsNumeric != 0:
			return "0"
		case info&types.IsBoolean != 0:
			return "false"
		}
	case *types.Struct, *types.Array:
		if text == "" {
			return ""
		}
		return text + "{}"
	}
	return "nil"
}
