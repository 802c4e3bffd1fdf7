package gocmd

// Members returns the numbers of the processes that live in the process group
// pid or descend from one of it, as a program with its children does.
func Members(pid int) []int {
	all := everyone()
	var tops []kin
	for _, k := range all {
		if k.group == pid {
			tops = append(tops, k)
		}
	}
	seen := make(map[int]bool)
	var out []int
	for _, k := range append(tops, descendants(all, tops)...) {
		if !seen[k.pid] && !k.zombie {
			seen[k.pid] = true
			out = append(out, k.pid)
		}
	}
	return out
}
