// Package evidence keeps texts once.
package evidence

// Unique returns the texts without those that came before, in the storage of all.
func Unique(all []string) []string {
	seen := map[string]any{}
	unique := all[:0]
	for _, s := range all {
		if _, ok := seen[s]; !ok {
			unique = append(unique, s)
			seen[s] = s // target
		}
	}
	return unique
}
