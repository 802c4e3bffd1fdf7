package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// DiagnosisText writes a diagnosis: for each kind of profile an answer in one
// line, the shares as bars, and then each signature that stands out with its
// lines, its lever and what to look at first.
func DiagnosisText(w io.Writer, d *model.Diagnosis, o Options) error {
	s := &sheet{o: o}
	for _, run := range d.Observed {
		s.part()
		s.observed(run)
	}
	for _, sy := range d.Profiles {
		s.part()
		s.symptoms(sy)
	}
	for _, c := range d.Compared {
		s.part()
		s.profileChange(c)
	}
	for _, g := range d.Growth {
		s.part()
		s.growth(g)
	}
	for _, m := range d.Memory {
		s.part()
		s.memory(m)
	}
	if d.Metrics != nil {
		s.part()
		s.metrics(d.Metrics)
	}
	for _, t := range d.Traces {
		s.part()
		s.trace(t)
	}
	if advises(d) {
		s.part()
		s.para(dim, "", "More about a rule: pawl rules NAME. What a threshold is, and what to trust: docs/diagnose.md.")
	}
	s.warnings(d.Warnings)
	return s.flush(w)
}

// part begins a part of a text, apart from what stands above it.
func (s *sheet) part() {
	if s.b.Len() > 0 {
		s.blank()
	}
}

// advises reports whether anything stands out, and with it rules are named.
func advises(d *model.Diagnosis) bool {
	return slices.ContainsFunc(d.Profiles, func(sy model.Symptoms) bool { return len(sy.Signs) > 0 }) ||
		slices.ContainsFunc(d.Observed, func(run model.Observed) bool { return len(run.Signs) > 0 }) ||
		slices.ContainsFunc(d.Growth, func(g model.Growth) bool { return len(g.Suspects) > 0 }) ||
		slices.ContainsFunc(d.Memory, func(m model.Memory) bool { return m.StandsOut > 0 }) ||
		d.Metrics != nil && len(d.Metrics.Signs) > 0
}

func (s *sheet) symptoms(sy model.Symptoms) {
	s.para(bold, "", symptomsHeadline(sy))
	s.para(dim, "", symptomsFacts(sy))
	s.bars(sy)
	for i, sign := range sy.Signs {
		s.sign(i+1, sign)
	}
	s.warnings(sy.Warnings)
}

// symptomsHeadline is the answer in a line.
func symptomsHeadline(sy model.Symptoms) string {
	kind := profileWord(sy.Kind)
	switch {
	case sy.Total == 0:
		if sy.Kind == "mutex" { // without stacks, the two look alike
			kind = "Mutex or block profile"
		}
		return kind + ": no samples."
	case len(sy.Signs) == 0:
		return kind + ": nothing stands out."
	}
	first := sy.Signs[0]
	if first.Idle {
		return fmt.Sprintf("%s: nothing stands out but %s, %s of %s, which may be rest.", kind, first.Title, share(first.Gain()), signWhole(sy, first))
	}
	t := fmt.Sprintf("%s: %s, %s of %s", kind, first.Title, share(first.Gain()), signWhole(sy, first))
	switch n := len(sy.Signs) - 1; n {
	case 0:
		return t + "."
	case 1:
		return t + "; one more stands out."
	default:
		return fmt.Sprintf("%s; %d more stand out.", t, n)
	}
}

// signWhole is what a share is of, in words.
func signWhole(sy model.Symptoms, x model.Sign) string {
	switch sy.Kind {
	case "goroutine":
		return goroutines(sy.Total)
	case "goroutineleak":
		return grouped(sy.Total) + " leaked goroutines"
	}
	return "the " + x.What
}

func profileWord(kind string) string {
	switch kind {
	case "cpu":
		return "CPU profile"
	case "":
		return "Profile"
	case "goroutineleak":
		return "Goroutine leak profile"
	}
	return strings.ToUpper(kind[:1]) + kind[1:] + " profile"
}

// symptomsFacts says how much was looked at.
func symptomsFacts(sy model.Symptoms) string {
	facts := []string{strings.Join(sy.Sources, ", ")}
	if sy.Total == 0 {
		return facts[0]
	}
	switch sy.Kind {
	case "cpu":
		facts = append(facts, samples(sy.Samples), seconds(sy.Total/1e9)+" of CPU time")
		if sy.Seconds > 0 {
			facts = append(facts, "in "+seconds(sy.Seconds), fmt.Sprintf("%.1f cores busy", sy.Total/1e9/sy.Seconds))
		}
	case "goroutine", "goroutineleak":
		facts = append(facts, goroutines(sy.Total))
	default:
		facts = append(facts, quantity(sy.Unit, sy.Total))
		if sy.Seconds > 0 {
			facts = append(facts, "in "+seconds(sy.Seconds))
		}
	}
	return strings.Join(facts, " · ")
}

func goroutines(n float64) string {
	if n == 1 {
		return "1 goroutine"
	}
	return grouped(n) + " goroutines"
}

// grouped writes a whole number with its thousands apart.
func grouped(n float64) string {
	return strings.TrimSuffix(strings.TrimSuffix(samples(int64(n)), "s"), " sample")
}

// quantity formats an amount of a profile.
func quantity(unit string, x float64) string {
	switch unit {
	case "ns":
		return nanoseconds(x)
	case "bytes":
		return size(x)
	case "goroutines":
		return goroutines(x)
	}
	return grouped(x) + " " + unit
}

// bars shows what the profile consists of. Of a CPU profile that is something
// where no signature is in it, too: the program itself.
func (s *sheet) bars(sy model.Symptoms) {
	rest := restName(sy)
	if len(sy.Signs)+len(sy.Below) == 0 && rest == "" {
		return
	}
	s.blank()
	var rows [][]cell
	for _, x := range sy.Signs {
		rows = append(rows, s.barRow(x, bold, ""))
	}
	for _, x := range sy.Below {
		rows = append(rows, s.barRow(x, dim, belowWhy(x)))
	}
	if rest != "" {
		rows = append(rows, []cell{left(rest), left(s.signBar(sy.Rest, 0)), right(share(sy.Rest)), left("")})
	}
	s.table("  ", rows)
	if slices.ContainsFunc(sy.Signs, func(x model.Sign) bool { return x.Scheduler > 0.0005 }) {
		s.para(dim, "  ", "The lighter part of a bar is the scheduler's time on its behalf, an estimate.")
	}
	if len(sy.RestCallers) > 0 {
		s.blank()
		s.para(dim, "  ", "Lines of the program itself, with what they call in libraries:")
		s.table("  ", callerRows(sy.RestCallers))
	}
}

// restName is what the share that no signature takes is called; "" where it is not
// shown.
func restName(sy model.Symptoms) string {
	switch {
	case sy.Kind == "cpu" && sy.Total > 0:
		return "the program itself"
	case sy.Kind == "block" && sy.Rest >= 0.0005:
		return "standard library"
	}
	return ""
}

func (s *sheet) barRow(x model.Sign, st style, why string) []cell {
	return []cell{left(x.Name).in(st), left(s.signBar(x.Share, x.Scheduler)), right(share(x.Gain())), left(why).in(dim)}
}

// belowWhy says what of the threshold is not reached.
func belowWhy(x model.Sign) string {
	switch {
	case x.Gain() < x.Threshold:
		if share(x.Gain()) == share(x.Threshold) {
			return "just below " + chosen(x.Threshold)
		}
		return "below " + chosen(x.Threshold)
	case x.Amount < x.Least:
		return "less than " + quantity(x.Unit, x.Least)
	}
	return "too few samples"
}

// signBar draws a share, and behind it another that is less certain.
func (s *sheet) signBar(sure, more float64) string {
	width := min(40, max(10, s.o.width()-56))
	full, half, none := "█", "▒", "░"
	if s.o.ASCII {
		full, half, none = "#", "+", "."
	}
	a := min(width, int(sure*float64(width)+0.5))
	b := min(width, int((sure+more)*float64(width)+0.5))
	if a == 0 && sure > 0 {
		a, b = 1, max(b, 1)
	}
	return strings.Repeat(full, a) + strings.Repeat(half, b-a) + strings.Repeat(none, width-b)
}

// sign writes all about one signature.
func (s *sheet) sign(n int, x model.Sign) {
	s.blank()
	head := strconv.Itoa(n) + "  "
	s.mark(bold, head, bold, x.Name+": "+x.Title)
	indent := strings.Repeat(" ", len(head))
	s.para(yellow, indent, signShare(x))
	s.blank()
	s.callers(indent, x)
	for _, f := range []struct{ label, text string }{
		{"seen   ", signSymbols(x)}, {"what   ", x.Meaning}, {"lever  ", x.Lever}, {"first  ", x.Before}, {"beware ", x.Gap}, {"rules  ", ruleNames(x.Rules)},
	} {
		if f.text != "" {
			s.mark(dim, indent+f.label, normal, f.text)
		}
	}
}

// signShare says how much it is, and what it is at most worth.
func signShare(x model.Sign) string {
	t := fmt.Sprintf("%s of the %s", share(x.Share), x.What)
	switch {
	case x.Unit == "goroutines":
		t = goroutines(x.Amount) + ", " + share(x.Share) + " of all"
	case x.Unit != "ns" || x.What != "CPU time":
		t += ", " + quantity(x.Unit, x.Amount)
	default:
		t += fmt.Sprintf(" [%s, %s]", strings.TrimSuffix(share(x.Lo), " %"), share(x.Hi))
	}
	if x.Scheduler > 0.0005 {
		t += fmt.Sprintf(", and about %s in the scheduler", share(x.Scheduler))
	}
	if x.What == "CPU time" {
		return t + "; no change to it saves more"
	}
	return t
}

// callers writes the lines behind a signature. Those without a place follow,
// so that their text does not widen its column.
func (s *sheet) callers(indent string, x model.Sign) {
	var rest [][]cell
	rows := callerRows(x.Callers)
	if x.More > 0 {
		rest = append(rest, []cell{right(""), left(otherLines(x))})
	}
	if x.Orphan >= 0.0005 {
		rest = append(rest, []cell{right(share(x.Orphan)), left(orphanText(x))})
	}
	if len(rows)+len(rest) == 0 {
		return
	}
	a, b := firstColumn(rows), firstColumn(rest)
	if b == 0 && a > 0 {
		b = -s.gap() // a column without text takes no room
	}
	s.table(indent+strings.Repeat(" ", max(0, b-a)), rows)
	s.table(indent+strings.Repeat(" ", max(0, a-b)), rest)
	s.blank()
}

// callerRows has a row for each line: its share, its place, and what it calls.
func callerRows(callers []model.SignCaller) [][]cell {
	var rows [][]cell
	for _, c := range callers {
		where := path.Base(strings.ReplaceAll(c.File, `\`, "/"))
		if c.Line > 0 {
			where += ":" + strconv.Itoa(c.Line)
		}
		what := short(c.Func)
		if c.Via != "" {
			what += " → " + strings.TrimPrefix(short(c.Via), "runtime.")
		}
		rows = append(rows, []cell{right(share(c.Share)), left(where), left(what)})
	}
	return rows
}

// otherLines counts those that are not named.
func otherLines(x model.Sign) string {
	if len(x.Callers) == 0 {
		return number(x.More, "line") + ", each with little of it"
	}
	return number(x.More, "other line")
}

// firstColumn returns the width of the first column.
func firstColumn(rows [][]cell) int {
	w := 0
	for _, r := range rows {
		w = max(w, utf8.RuneCountInString(r[0].text))
	}
	return w
}

func orphanText(x model.Sign) string {
	if x.OrphanIn == "" {
		return "on no line of the program"
	}
	return "on no line of the program: " + x.OrphanIn
}

// short is a symbol without the path of its package: encode.(*T).Write.
func short(name string) string {
	generic := ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		name, generic = name[:i], "[…]"+name[strings.LastIndexByte(name, ']')+1:]
	}
	return name[strings.LastIndexByte(name, '/')+1:] + generic
}

// signSymbols names the functions of the runtime, with their inclusive shares.
func signSymbols(x model.Sign) string {
	var names []string
	for _, f := range x.Symbols {
		if f.Share >= 0.0005 {
			names = append(names, strings.TrimPrefix(short(f.Func), "runtime.")+" "+share(f.Share))
		}
	}
	return strings.Join(names, ", ")
}
