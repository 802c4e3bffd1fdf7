package hotpath

// A Listed is a record with where its place is now.
type Listed struct {
	Record
	Found Found `json:"found"`
}

// List looks for the places of records in the module whose directory is dir.
func List(dir string, records []Record) []Listed {
	out := make([]Listed, 0, len(records))
	for _, r := range records {
		out = append(out, Listed{r, Find(dir, r.Place)})
	}
	return out
}
