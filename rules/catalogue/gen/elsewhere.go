package gen

const notIncludedHead = `
## Not included, because

What another tool that everybody has does well is left to it. Run ` + "`go fix`" + ` of Go 1.26 first; pawl's rules take up where it
ends.

| what | who does it | what is left |
|---|---|---|
`

// An elsewhere is something that pawl leaves to another tool.
type elsewhere struct{ what, who, note string }

// notIncluded lists it. Of go fix it names each analyzer of Go 1.26.
func notIncluded() []elsewhere {
	return []elsewhere{
		{"`strings.Index` and slicing, `Split(s, sep)[0]` → `strings.Cut`", "go fix `stringscut`", "several segments, and lengths that are compared: [splitcut](#splitcut)"},
		{"`HasPrefix` and `TrimPrefix` → `CutPrefix`", "go fix `stringscutprefix`", "–"},
		{"a range over `strings.Split` or `Fields` → `SplitSeq`, `FieldsSeq`", "go fix `stringsseq`", "–"},
		{"`s += x` in a loop → `strings.Builder`", "go fix `stringsbuilder`", "strings that are read or reset in the loop; it also rewrites cold code"},
		{"`[]byte(fmt.Sprintf(…))` → `fmt.Appendf`", "go fix `fmtappendf`", "whether there should be formatting at all"},
		{"a loop that looks for an element → `slices.Contains`", "go fix `slicescontains`", "the loop around it: that is still a nested scan"},
		{"`sort.Slice` → `slices.Sort`", "go fix `slicessort`", "–"},
		{"a loop that copies a map → `maps.Copy`, `maps.Clone`", "go fix `mapsloop`", "–"},
		{"`if a < b` → `min`, `max`", "go fix `minmax`", "no gain in speed"},
		{"`for i := 0; i < n; i++` → `for i := range n`", "go fix `rangeint`", "no gain in speed"},
		{"`reflect.TypeOf(x)` → `TypeFor`", "go fix `reflecttypefor`", "no gain in speed that counts"},
		{"`Len` and `At` → iterators", "go fix `stditerators`", "no gain in speed"},
		{"other modern forms: `any`, `buildtag`, `forvar`, `hostport`, `inline`, `newexpr`, `omitzero`, `plusbuild`, `testingcontext`, `waitgroup`", "go fix", "not about speed"},
		{"`b.N` → `b.Loop`", "`modernize` of x/tools, `bloop`", "–"},
		{"a value that is no pointer in a `sync.Pool`", "staticcheck SA6002", "objects that are not reset"},
		{"`default:` in a `select` that spins, with an empty body", "staticcheck SA5004", "loops that poll in other ways"},
		{"a map index by `string(b)`, a range over `[]rune(s)`, `EqualFold`, `WriteString(w, string(b))`", "staticcheck SA6001, SA6003, SA6005, SA6006", "–"},
		{"`regexp.MatchString` in a loop", "staticcheck SA6000", "patterns that are compiled in a function"},
		{"a response body that is not closed", "bodyclose", "one that is closed and not drained"},
		{"fields in an order that wastes room", "fieldalignment", "nearly all of its findings are of no use; pawl proposes none"},
		{"uses of `unsafe`, pprof on a public server", "gosec G103, G108", "–"},
	}
}
