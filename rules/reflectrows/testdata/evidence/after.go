// Package evidence makes accounts of the rows of a table.
package evidence

// An Account is a row of the table, whose columns are named like its fields.
type Account struct {
	ID    int
	Owner string
	Open  bool
}

// Map returns the accounts in some rows.
func Map(rows []map[string]any) []Account {
	out := make([]Account, len(rows))
	for i, row := range rows {
		fill(&out[i], row)
	}
	return out
}

func fill(a *Account, row map[string]any) {
	a.ID, _ = row["ID"].(int)
	a.Owner, _ = row["Owner"].(string)
	a.Open, _ = row["Open"].(bool)
}
