// Package evidence finds what is below a module, by its name.
package evidence

// Below counts the names that are module or begin with it and a dot.
func Below(names []string, module string) (n int) {
	for _, name := range names {
		if name == module || len(name) > len(module) && name[len(module)] == '.' && name[:len(module)] == module { // target
			n++
		}
	}
	return n
}
