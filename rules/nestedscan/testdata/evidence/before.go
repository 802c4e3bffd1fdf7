// Package evidence looks for accounts among those that are known.
package evidence

import "slices"

// Unknown returns the accounts that are not among the known.
func Unknown(known, accounts []string) []string {
	var out []string
	for _, a := range accounts {
		if !slices.Contains(known, a) {
			out = append(out, a)
		}
	}
	return out
}

// Duplicates reports whether an account is there twice.
func Duplicates(accounts []string) bool {
	for i := range accounts {
		for j := i + 1; j < len(accounts); j++ {
			if accounts[i] == accounts[j] {
				return true
			}
		}
	}
	return false
}
