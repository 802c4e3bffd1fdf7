package a

// Class B: whether b overwrites a is a matter of the room.

func twice(p []string) string {
	a, b := append(p, "a"), append(p, "b")
	return a[len(p)] + b[len(p)]
}

func handedOn(p []string) string { return twice(p) }

func ended(p []string, ends []string) (all [][]string) {
	for _, e := range ends {
		all = append(all, append(p, e)) // want `all`
	}
	return all
}

func toTwice(rows []row) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name) // want `out`
	}
	return handedOn(out)
}

func toEnded(rows []row, ends []string) [][]string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name) // want `out`
	}
	return ended(out, ends)
}

func gathered(rows []row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name) // want `out`
	}
	return out
}

func fromGathered(rows []row) string {
	out := gathered(rows)
	a, b := append(out, "a"), append(out, "b")
	return a[len(rows)] + b[len(rows)]
}

// Class A: one end, one holder.

func lined(p []string) []string {
	return append(p, "end")
}

func toLined(rows []row) int {
	var out []string
	for _, r := range rows {
		out = append(out, r.name) // want `out`
	}
	return len(lined(out))
}
