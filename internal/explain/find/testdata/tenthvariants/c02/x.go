package c02

type Column struct {
	Name  string
	Width int
	Null  bool
}

// V1 method, two named results
type Table struct {
	cols []Column
	rows int
}

func (t *Table) Layout() (names []string, widths []int) {
	for i := range t.cols {
		c := &t.cols[i]
		names = append(names, c.Name)
		widths = append(widths, max(c.Width, len(c.Name)))
	}
	return names, widths
}
