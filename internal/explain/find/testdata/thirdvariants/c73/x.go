package c73

// V2 method
type sheet struct {
	header []string
	rows   [][]string
}

func (s *sheet) filter(column, want string) (out [][]string) {
	at := make(map[string]int, len(s.header))
	for i, h := range s.header {
		at[h] = i
	}
	c, ok := at[column]
	if !ok {
		return nil
	}
	for _, r := range s.rows {
		if r[c] == want {
			out = append(out, r)
		}
	}
	return out
}
