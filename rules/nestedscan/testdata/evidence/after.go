// Package evidence looks for accounts among those that are known.
package evidence

// Unknown returns the accounts that are not among the known.
func Unknown(known, accounts []string) []string {
	var out []string
	knownSet := make(map[string]bool, len(known))
	for _, x := range known {
		knownSet[x] = true
	}
	for _, a := range accounts {
		if !knownSet[a] {
			out = append(out, a)
		}
	}
	return out
}

// Duplicates reports whether an account is there twice.
func Duplicates(accounts []string) bool {
	seen := make(map[string]struct{}, len(accounts))
	for _, x := range accounts {
		if _, ok := seen[x]; ok {
			return true
		}
		seen[x] = struct{}{}
	}
	return false
}
