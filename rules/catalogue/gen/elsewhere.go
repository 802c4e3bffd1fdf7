package gen

const notIncludedHead = `
## Not included, because

Pawl leaves to other tools what they do well, and starts none of them. Run ` + "`go fix`" + ` of Go 1.26 or later first;
pawl's rules begin where it ends.

| what | who does it | what is left |
|---|---|---|
`

// An elsewhere is something that pawl leaves to another tool.
type elsewhere struct{ what, who, note string }

// notIncluded lists it. Of go fix it names each analyzer, with the release
// where not all releases since Go 1.26 have it; a test asks the go command.
func notIncluded() []elsewhere {
	return []elsewhere{
		{"`strings.Index` and slicing, `Split(s, sep)[0]` → `strings.Cut`", "go fix `stringscut`", "several segments, and lengths that are compared: [splitcut](#splitcut)"},
		{"`HasPrefix` and `TrimPrefix` → `CutPrefix`", "go fix `stringscutprefix`", "–"},
		{"a range over `strings.Split` or `Fields` → `SplitSeq`, `FieldsSeq`", "go fix `stringsseq`", "–"},
		{"`s += x` in a loop → `strings.Builder`", "go fix `stringsbuilder`", "strings that are read or reset in the loop; it also rewrites cold code"},
		{"`[]byte(fmt.Sprintf(…))` → `fmt.Appendf`", "go fix `fmtappendf` (to Go 1.26)", "whether there should be formatting at all"},
		{"a loop that looks for an element → `slices.Contains`", "go fix `slicescontains`", "the loop around it: that is still a nested scan"},
		{"`sort.Slice` → `slices.Sort`", "go fix `slicessort`", "–"},
		{"a loop that copies a map → `maps.Copy`, `maps.Clone`", "go fix `mapsloop`", "–"},
		{"`if a < b` → `min`, `max`", "go fix `minmax`", "no gain in speed"},
		{"`for i := 0; i < n; i++` → `for i := range n`", "go fix `rangeint`", "no gain in speed"},
		{"`reflect.TypeOf(x)` → `TypeFor`", "go fix `reflecttypefor`", "no gain in speed that counts"},
		{"`Len` and `At` → iterators", "go fix `stditerators`", "no gain in speed"},
		{"`errors.As` → `errors.AsType`", "go fix `errorsastype` (from Go 1.27)", "–"},
		{"`atomic.AddInt64(&x, 1)` → `atomic.Int64`", "go fix `atomictypes` (from Go 1.27)", "no gain in speed"},
		{"a loop from the end of a slice → `slices.Backward`", "go fix `slicesbackward` (from Go 1.27)", "compare before you keep it: with Go 1.27.4 a search that returns " +
			"early took 3.8 times as long, and a plain sum 0.55 times; `go fix -slicesbackward=false` leaves it out"},
		{"other modern forms", "go fix `any`, `buildtag`, `embedlit` (from Go 1.27), `forvar`, `hostport`, `inline`, `newexpr`, `omitzero`, `plusbuild`, `testingcontext`, " +
			"`unsafefuncs` (from Go 1.27), `waitgroup` (to Go 1.26), `waitgroupgo` (from Go 1.27)", "not about speed"},
		{"`b.N` → `b.Loop`", "`modernize` of x/tools, `bloop`", "–"},
		{"`default:` in a `select` that spins, with an empty body", "staticcheck SA5004", "loops that poll in other ways"},
		{"a map index by `string(b)`, a range over `[]rune(s)`, `EqualFold`, `WriteString(w, string(b))`", "staticcheck SA6001, SA6003, SA6005, SA6006", "–"},
		{"`regexp.MatchString` in a loop", "staticcheck SA6000", "patterns that are compiled in a function"},
		{"a response body that is not closed", "bodyclose", "one that is closed and not drained"},
		{"fields in an order that wastes room", "fieldalignment", "nearly all of its findings are of no use, and no rule repeats them"},
		{"uses of `unsafe`, pprof on a public server", "gosec G103, G108", "casts between strings and bytes: [unsafestring](#unsafestring); a listener of its own for profiles"},
	}
}
