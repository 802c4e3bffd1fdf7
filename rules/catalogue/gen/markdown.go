package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Markdown returns docs/rules.md.
func Markdown(entries []catalogue.Entry) string {
	var rules, missing, obsolete []rule.Rule
	for _, e := range Sorted(entries) {
		switch {
		case e.Analyzer != nil:
			rules = append(rules, e.Rule)
		case e.Rule.Tier == rule.Obsolete:
			obsolete = append(obsolete, e.Rule)
		default:
			missing = append(missing, e.Rule)
		}
	}
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("| rule | ids | tier | fix | Go | what is wrong |\n|---|---|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| [%s](#%[1]s) | %s | %s | %s | %s | %s |\n", r.Name, strings.Join(r.IDs, " "), r.Tier, r.Fix, versions(r), cell(r.Title))
	}
	b.WriteString(settings)
	for _, r := range rules {
		section(&b, r)
	}
	b.WriteString(notIncludedHead)
	for _, n := range notIncluded() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", n.what, n.who, n.note)
	}
	if len(obsolete) > 0 {
		b.WriteString("\n## No longer true\n\nThese are explained and never proposed.\n")
		for _, r := range obsolete {
			fmt.Fprintf(&b, "\n<a id=\"%s\"></a>**%[1]s** (%s): %s %s %s\n", r.Name, strings.Join(r.IDs, " "), sentence(r.Title), sentence(r.Why), sentence(r.Missing))
		}
	}
	if len(missing) > 0 {
		b.WriteString("\n## Entries without a rule\n\n`pawl rules NAME` says more about each.\n\n" +
			"| entry | ids | tier | what is wrong | why there is none |\n|---|---|---|---|---|\n")
		for _, r := range missing {
			fmt.Fprintf(&b, "| <a id=\"%s\"></a>%[1]s | %s | %s | %s | %s |\n", r.Name, strings.Join(r.IDs, " "), r.Tier, cell(r.Title), cell(r.Missing))
		}
	}
	return b.String()
}

// section writes the section of one rule, whose heading is where its analyzer's
// URL points. What the table has stands there alone, but for the title. Claims stand in
// docs/evidence.md; only what has none is named here.
func section(b *strings.Builder, r rule.Rule) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", r.Name, sentence(r.Title))
	if bad, good := Example(r); bad != "" {
		fmt.Fprintf(b, "\n```diff\n%s```\n", changed(bad, good))
	}
	for _, p := range parts(r) {
		fmt.Fprintf(b, "\n**%s.** %s\n", p.head, text(sentence(p.text)))
	}
	if r.Evidence == nil || r.Evidence.Exempt != "" {
		fmt.Fprintf(b, "\n**Evidence.** %s\n", text(sentence(claim(r))))
	}
}

// changed is code beside what takes its place: lines of both, of the first alone (-) and of
// the second alone (+).
func changed(bad, good string) string {
	from, to := strings.Split(bad, "\n"), strings.Split(good, "\n")
	if good == "" {
		to = nil
	}
	same := make([][]int, len(from)+1) // most lines that both have in their order, from i and j on
	for i := range same {
		same[i] = make([]int, len(to)+1)
	}
	for i, a := range slices.Backward(from) {
		for j, b := range slices.Backward(to) {
			same[i][j] = max(same[i+1][j], same[i][j+1])
			if a == b {
				same[i][j] = same[i+1][j+1] + 1
			}
		}
	}
	var b strings.Builder
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j]:
			b.WriteString(strings.TrimRight(" "+from[i], " ") + "\n")
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && same[i+1][j] >= same[i][j+1]:
			fmt.Fprintf(&b, "-%s\n", from[i])
			i++
		default:
			fmt.Fprintf(&b, "+%s\n", to[j])
			j++
		}
	}
	return b.String()
}

// orGone is code, or a word for none.
func orGone(code string) string {
	return cmp.Or(code, "// nothing: it goes")
}

// cell makes plain text fit for a cell of a table.
func cell(s string) string { return strings.ReplaceAll(text(s), "|", `\|`) }

// text makes plain text fit for Markdown: what looks like markup in it is none.
func text(s string) string {
	return strings.NewReplacer("<", "&lt;", "[", `\[`, "*", `\*`).Replace(s)
}

// sentence makes a sentence of text that may be half of one.
func sentence(s string) string {
	if s = upper(s); strings.HasSuffix(s, ".") || s == "" {
		return s
	}
	return s + "."
}

// upper makes the first letter a capital, where the first word is one and no
// identifier.
func upper(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(word, ".(_/") {
		return s
	}
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

const intro = `<!-- Written by pawl rules -markdown. Do not edit. -->

# Rules

    $ pawl rules
    rule              ids  tier      fix  evidence  what is wrong
    …
    mapsize           C01  profiled  A    not run   map filled from a source of known length, but made without it
    slicesize         C02  profiled  A    not run   slice of known length grown by append
    …

Each rule is a package below ` + "`rules/`" + ` with an ordinary go/analysis analyzer. ` + "`pawl rules NAME`" + ` prints a section of this page
and what the rule's evidence gave on your machine; [evidence.md](evidence.md) has the claims and figures. The ids are those
of the catalogue that pawl was built from: C for code, B for builds and settings, P for ways of working. X is for rules that are
pawl's own. The code of a section is what the rule finds, with what its fix takes out (-) and puts in (+); where there is no fix,
with what a person would.

| tier | meaning |
|---|---|
| always | wrong wherever it stands |
| profiled | shown only where a profile or a benchmark shows that the line costs |
| special | shown only when asked for |
| obsolete | was true once |

| fix | meaning |
|---|---|
| A | proven to keep behaviour; ` + "`go fix`" + ` may apply it |
| B | has to pass tests and measurement, as under ` + "`pawl optimize`" + ` |
| N | none: a report |

**Go.** A version is that of the file: the go line of its module, or its own ` + "`//go:build go1.N`" + `. With *in go.mod* the go
line alone counts, because it sets the default of a GODEBUG setting. With *toolchain* the release that compiles the package
counts, because the runtime or the standard library changed for every program.

`

const settings = `
## Silence and settings

    //lint:ignore pawl/RULE reason
    //nolint:pawl // reason

above or at the end of a line silences RULE, or every rule, on it. Above a declaration or statement, ` + "`//nolint:pawl`" + ` is about
the whole of it, as in golangci-lint. The reason is required; a directive that is malformed or silences
nothing is a finding itself. Generated files are skipped.

The file ` + "`.pawl.json`" + ` at the root of the module, with the schema [pawl.schema.json](pawl.schema.json), has these members:

| member | meaning |
|---|---|
| ` + "`$schema`" + ` | where the schema is, for editors |
| ` + "`off`" + ` | rules that are not asked |
| ` + "`exclude`" + ` | patterns of files, from the module's root, as for path.Match; ` + "`DIR/...`" + ` is all below DIR |
| ` + "`min_share`" + ` | the smallest share of the cost that makes a line hot, as a fraction |
| ` + "`tier`" + ` | the default of ` + "`-tier`" + `: always, profiled, special or all |
`
