// Package evidence merges settings: what was set stands above the defaults.
package evidence

// Merge returns the defaults, overridden by what was set.
func Merge(defaults, set map[string]int) map[string]int {
	all := make(map[string]int)
	for name, v := range defaults {
		all[name] = v // target
	}
	for name, v := range set {
		all[name] = v
	}
	return all
}
