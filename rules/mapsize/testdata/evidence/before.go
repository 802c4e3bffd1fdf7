// Package evidence collects the distinct accounts of a batch.
package evidence

// Collect returns the set of the accounts.
func Collect(accounts []int) map[int]struct{} {
	set := map[int]struct{}{}
	for _, a := range accounts {
		set[a] = struct{}{}
	}
	return set
}
