package c44

import "regexp"

// V4 generic

var snapshot = regexp.MustCompile(`^snap-`)

func snapshots[Name ~string](volumes []Name) []Name {
	var kept []Name
	for _, v := range volumes {
		if snapshot.MatchString(string(v)) {
			kept = append(kept, v)
		}
	}
	return kept
}
