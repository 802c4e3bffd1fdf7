package report

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func diagnosisHTML(t *testing.T, d *model.Diagnosis, extra DiagnosisExtra) string {
	t.Helper()
	var b strings.Builder
	if err := DiagnosisHTML(&b, d, extra); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

func TestDiagnosisHTML(t *testing.T) {
	d := diagnosis()
	page := diagnosisHTML(t, d, DiagnosisExtra{
		Command: []string{"pawl", "diagnose", "-html", "my page.html", "cpu.pprof"},
		Flames:  map[string][]model.Flame{"cpu": {sampleFlame()}, "mutex": {sampleFlame(), sampleFlame()}},
	})
	rest := bare(t, page)
	wellFormed(t, rest)
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
	page := diagnosisHTML(t, &model.Diagnosis{}, DiagnosisExtra{})
	wellFormed(t, bare(t, page))
	if !strings.Contains(page, "Nothing stands out.") || strings.Contains(page, "<script") {
		t.Error("the page of nothing")
	}
	one := &model.Diagnosis{Profiles: diagnosis().Profiles[1:2]}
	if page := diagnosisHTML(t, one, DiagnosisExtra{}); !strings.Contains(page, "<h1>Goroutine profile: nothing stands out.</h1>") || !strings.Contains(page, "<h2>Goroutine profile</h2>") {
		t.Error("the page of one profile")
	}
}

func TestDiagnosisHTMLOfHostileText(t *testing.T) {
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	d := diagnosis()
	sy := &d.Profiles[0]
	sy.Sources, d.Tool = []string{evil}, evil
	sy.Signs[0].Callers[0].Func, sy.Signs[0].Callers[0].File, sy.Signs[0].OrphanIn, sy.Signs[0].Orphan = evil, evil, evil, 0.1
	sy.Signs[0].Rules[0].Name = evil
	sy.Signs[0].Share, sy.Signs[0].Lo, sy.Signs[0].Hi = math.NaN(), math.Inf(-1), 7
	page := diagnosisHTML(t, d, DiagnosisExtra{Command: []string{"pawl", evil}})
	wellFormed(t, bare(t, page))
	if strings.ContainsAny(page, "\x1b\x00\u202e") || strings.Contains(page, `"NaN`) {
		t.Error("something hidden is in the page, or a length is no number")
	}
}

// What is too large to carry along is left out.
func TestDiagnosisHTMLIsBounded(t *testing.T) {
	d := diagnosis()
	d.Profiles[0].Signs[0].Meaning = strings.Repeat("x", mostData)
	if strings.Contains(diagnosisHTML(t, d, DiagnosisExtra{}), "data:application/json") {
		t.Error("a large diagnosis is in the page twice")
	}
}
