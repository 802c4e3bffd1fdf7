// Package evidence compares domain names.
package evidence

// Labels returns where the labels of a name begin.
func Labels(name string) []int {
	return labelsInto(make([]int, 1, 6), name)
}

// labelsInto is Labels with memory for the result. It is apart so that Labels can be inlined,
// and a caller that does not keep the result has it on its stack.
func labelsInto(at []int, name string) []int {
	if name == "." {
		return nil
	}
	// target
	for i := 0; i < len(name); i++ {
		switch {
		case name[i] == '\\':
			i++ // what follows is no end of a label
			if i+2 < len(name) && name[i] >= '0' && name[i] <= '9' {
				i += 2
			}
		case name[i] == '.' && i+1 < len(name):
			at = append(at, i+1)
		case name[i] == ' ' || name[i] == '\t':
			return at
		}
	}
	return at
}

// Common returns how many labels two names have in common at their ends.
func Common(a, b string) (n int) {
	x, y := Labels(a), Labels(b)
	for i, j := len(x)-1, len(y)-1; i >= 0 && j >= 0 && a[x[i]:] == b[y[j]:]; i, j = i-1, j-1 {
		n++
	}
	return n
}
