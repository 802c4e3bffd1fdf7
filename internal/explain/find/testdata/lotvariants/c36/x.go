package x

// V2 in a method
type roster struct{ present []string }

func (ro *roster) missing(invited []string) []string {
	var out []string
	for _, name := range invited {
		seen := false
		for _, p := range ro.present {
			if p == name {
				seen = true
				break
			}
		}
		if !seen {
			out = append(out, name)
		}
	}
	return out
}
