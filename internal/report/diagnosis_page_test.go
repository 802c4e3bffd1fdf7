package report_test

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Where the runtime has no part, the lines that cost are all there is to say:
// as text, and on the page.
func TestDiagnosisOfTheProgramItself(t *testing.T) {
	t.Parallel()
	d := specimen.Diagnosis()
	d.Profiles = d.Profiles[:1]
	sy := &d.Profiles[0]
	sy.Signs, sy.Below, sy.Rest = nil, nil, 1
	var b strings.Builder
	if err := diagnosis.Text(&b, d, sheet.Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	page := diagnosisHTML(t, d, diagnosis.Extra{})
	for _, want := range []string{"nothing stands out.", "the program itself", "stage.go:80"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the text:\n%s", want, b.String())
		}
		if !strings.Contains(page, want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

func diagnosisHTML(t *testing.T, d *model.Diagnosis, extra diagnosis.Extra) string {
	t.Helper()
	var b strings.Builder
	if err := diagnosis.HTML(&b, d, extra); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

func TestDiagnosisHTML(t *testing.T) {
	t.Parallel()
	d := specimen.Diagnosis()
	page := diagnosisHTML(t, d, diagnosis.Extra{
		Command: []string{"pawl", "diagnose", "-html", "my page.html", "cpu.pprof"},
		Flames:  map[string][]model.Flame{"cpu": {specimen.Flame()}, "mutex": {specimen.Flame(), specimen.Flame()}},
	})
	rest := specimen.Bare(t, page, flame.Script)
	specimen.WellFormed(t, rest)
	if m := regexp.MustCompile(`https?://|url\(|@import|ZgotmplZ`).FindString(page); m != "" {
		t.Errorf("the page refers to something outside, or a value was refused: %s", m)
	}
	for _, want := range []string{
		"<title>CPU profile: sending and receiving on channels, 60 % of the CPU time.</title>", "1 signature in 3 profiles.",
		`<a href="#sign-1-1">channel</a>`, "below 10 %", "the program itself", "38, 42 %", `width="40.00"`, `x="38.50"`, `x="40.00" y="1" width="20.00"`,
		`title="/home/me/m/pipe/stage.go:120">stage.go:120</code> <code class="soft">pipe.(*Stage[…]).Run → chansend1`, "3 other lines",
		"Send more at once.", "What is sent is small.", "A channel also orders.", "<code>channelcounter</code>",
		"Goroutine profile: nothing stands out.", "less than 1,000 goroutines", "the profile has no samples",
		"pawl diagnose -html &#39;my page.html&#39; cpu.pprof", `id="flame-1-1"`, `id="flame-3-2"`,
	} {
		if !strings.Contains(rest, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(page, "Each frame is a function"); n != 1 {
		t.Errorf("how to read a flame graph is said %d times", n)
	}
	m := regexp.MustCompile(`base64,([^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("no raw data")
	}
	// html/template writes a plus as an entity.
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
	if err != nil || !strings.Contains(string(data), `"name": "channel"`) {
		t.Errorf("the raw data: %v, %.100s", err, data)
	}
}

func TestDiagnosisHTMLOfLittle(t *testing.T) {
	t.Parallel()
	page := diagnosisHTML(t, &model.Diagnosis{}, diagnosis.Extra{})
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	if !strings.Contains(page, "Nothing stands out.") || strings.Contains(page, "<script") {
		t.Error("the page of nothing")
	}
	one := &model.Diagnosis{Profiles: specimen.Diagnosis().Profiles[1:2]}
	if page := diagnosisHTML(t, one, diagnosis.Extra{}); !strings.Contains(page, "<h1>Goroutine profile: nothing stands out.</h1>") || !strings.Contains(page, "<h2>Goroutine profile</h2>") {
		t.Error("the page of one profile")
	}
}

func TestDiagnosisHTMLOfHostileText(t *testing.T) {
	t.Parallel()
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	d := specimen.Diagnosis()
	sy := &d.Profiles[0]
	sy.Sources, d.Tool = []string{evil}, evil
	sy.Signs[0].Callers[0].Func, sy.Signs[0].Callers[0].File, sy.Signs[0].OrphanIn, sy.Signs[0].Orphan = evil, evil, evil, 0.1
	sy.Signs[0].Rules[0].Name = evil
	sy.Signs[0].Share, sy.Signs[0].Lo, sy.Signs[0].Hi = math.NaN(), math.Inf(-1), 7
	page := diagnosisHTML(t, d, diagnosis.Extra{Command: []string{"pawl", evil}})
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	if strings.ContainsAny(page, "\x1b\x00\u202e") || strings.Contains(page, `"NaN`) {
		t.Error("something hidden is in the page, or a length is no number")
	}
}

// What is too large to carry along is left out.
func TestDiagnosisHTMLIsBounded(t *testing.T) {
	t.Parallel()
	d := specimen.Diagnosis()
	d.Profiles[0].Signs[0].Meaning = strings.Repeat("x", diagnosis.MostData)
	if strings.Contains(diagnosisHTML(t, d, diagnosis.Extra{}), "data:application/json") {
		t.Error("a large diagnosis is in the page twice")
	}
}

func TestDiagnosisHTMLOfAllParts(t *testing.T) {
	t.Parallel()
	page := diagnosisHTML(t, specimen.AllParts(), diagnosis.Extra{Flames: map[string][]model.Flame{"cpu": {specimen.Flame()}, "heap": {specimen.Flame()}, "block": {specimen.Flame()}}})
	rest := specimen.Bare(t, page, flame.Script)
	specimen.WellFormed(t, rest)
	if m := regexp.MustCompile(`="https?://|url\(|@import|ZgotmplZ`).FindString(rest); m != "" {
		t.Errorf("the page refers to something outside, or a value was refused: %s", m)
	}
	for _, want := range []string{
		"<title>server -addr :8080: collecting garbage", "<code>Join/n-2</code>", "<dt>stops</dt><dd>47.0 ms", `<a href="#observed-2-sign-1">collector</a>`,
		"Taken, and without a sample: mutex, block.", `<a href="#compared-1">CPU profile</a>`,
		"Greater share, by function", "each line goes from 0 to 60 %", `<li class="share">`, "share only", "[−68, −52]", `<code title="/src/m/codec/encode.go:120">encode.go:120</code>`,
		"Share only: the shares of most of the work", `id="flame-1-1"`, `id="flame-compared-3-1"`, `id="flame-of-block-1"`,
		`d="M60 `, "rose in 3 of 3 steps", "&#43;9.33 MiB/min [8.40 MiB, 10.3 MiB]", "came to rest", "Allocated in that time: 1.76 GiB",
		`x="62.50%" width="37.50%"`, "idle 62 %", "given back", "812 → 1,900", `<a href="#metrics-1-sign-1">collector</a>`, "waiting for mutexes",
		"ran 16.0 s, waited 40.8 s", "stock.(*Shelf).take", "The world stopped", `<a href="#trace-1-cause-1">sync</a>`, "Trace 2",
	} {
		if !strings.Contains(rest, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	order := []string{`id="observed-1"`, `id="observed-2"`, `id="profile-1"`, `id="compared-1"`, `id="growth-1"`, `id="memory-1"`, `id="metrics-1"`, `id="trace-1"`, `id="flames"`, `id="warnings"`}
	at := 0
	for _, id := range order {
		i := strings.Index(rest, id)
		if i < at {
			t.Errorf("%s is not where the text has it", id)
		}
		at = i
	}
}

// hostileParts has names that would be elements, and figures that are none, in
// each part.
func hostileParts() *model.Diagnosis {
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	d := specimen.AllParts()
	o := &d.Observed[1]
	o.Target, o.Ended, o.Hint, o.Signs[0].Title, d.Observed[0].Benchmarks[0].Name = evil, evil, evil, evil, evil
	c := &d.Compared[0]
	c.Functions[0].Func, c.Lines[0].File, c.Signs[0].Func, c.Moved[0], c.Base.Sources[0] = evil, evil, evil, evil, evil
	c.Functions[1].Before, c.Functions[2].After, c.Functions[3].Lo = math.NaN(), math.Inf(1), math.NaN()
	g := &d.Growth[0]
	g.Suspects[0].Func, g.Suspects[0].File, g.Others[0].Func, g.Sources[0], g.Allocated.Sites[0].Func = evil, evil, evil, evil, evil
	g.Suspects[0].Values[1], g.Suspects[1].Values = math.Inf(1), nil
	d.Growth[1].Suspects[0].Values[0] = math.NaN()
	m := &d.Memory[0]
	m.Source, m.Parts[0].Name, m.Parts[0].Title, m.Parts[0].Rules[0].Name, m.Parts[1].Share = evil, evil, evil, evil, math.NaN()
	d.Metrics.Sources[0].Name, d.Metrics.Figures[0].Title, d.Metrics.Figures[1].Value, d.Metrics.Unknown[0].What = evil, evil, math.NaN(), evil
	tr := d.Traces[0]
	tr.File, tr.Groups[0].Func, tr.Stalls[0].Func, tr.Causes[0].Cause, tr.Causes[0].Rules[0], tr.Parked[0].Func = evil, evil, evil, evil, evil, evil
	tr.Stalls[0].Stack[0].Func, tr.Stalls[0].Stack[0].File, tr.GC.Stops[0].Reason, tr.Stalls[0].Home = evil, evil, evil, 99
	tr.Stalls[1].AtNs, tr.Stalls[1].LongestNs = -5, 1<<62
	return d
}

func TestDiagnosisHTMLOfHostileParts(t *testing.T) {
	t.Parallel()
	page := diagnosisHTML(t, hostileParts(), diagnosis.Extra{})
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	if strings.ContainsAny(page, "\x1b\x00\u202e") {
		t.Error("something hidden is in the page")
	}
	if m := regexp.MustCompile(`(="|[ L])-?(NaN|[+-]?Inf)["% L]`).FindString(page); m != "" {
		t.Errorf("a length is no number: %s", m)
	}
}

// Of much of a kind the page shows the greatest, and says how many more there are.
func TestDiagnosisHTMLOfMuch(t *testing.T) {
	t.Parallel()
	d := specimen.AllParts()
	c, tr := &d.Compared[0], d.Traces[0]
	for i := range 1000 {
		f := c.Functions[1]
		f.Func = "example.com/a/rather/long/path/to/a/package.(*Type).Method" + strings.Repeat("x", i%90)
		c.Functions = append(c.Functions, f)
		tr.Groups = append(tr.Groups, tr.Groups[0])
		tr.Stalls = append(tr.Stalls, tr.Stalls[1])
		tr.Parked = append(tr.Parked, tr.Parked[0])
		tr.Processors.Each = append(tr.Processors.Each, tr.Processors.Each[0])
		d.Observed[0].Benchmarks = append(d.Observed[0].Benchmarks, d.Observed[0].Benchmarks[0])
	}
	page := diagnosisHTML(t, d, diagnosis.Extra{})
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	if len(page) > 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"903 more; -json has all", "88 more<", "962 more; -json has all", "993 more; -json has all", "971 more; -json has all", "940 more; -json has all", "990 more<"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}
