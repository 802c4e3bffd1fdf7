package c73

// V5 two functions

func positions(header []string) map[string]int {
	at := make(map[string]int, len(header))
	for i, name := range header {
		at[name] = i
	}
	return at
}

func matching(records [][]string, key, value string) [][]string {
	if len(records) == 0 {
		return nil
	}
	column, ok := positions(records[0])[key]
	if !ok {
		return nil
	}
	var out [][]string
	for _, record := range records[1:] {
		if column < len(record) && record[column] == value {
			out = append(out, record)
		}
	}
	return out
}
