package specimen

import (
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Outcomes are the four that a change can have.
func Outcomes() []model.Attempt {
	out := []model.Attempt{
		Tried("a", "x", "THE KEPT", model.Kept, "allocs/op 5 → 4", -0.2, -0.22, -0.18, 14),
		Tried("b", "x", "THE BLIND", model.KeptUncompared, "allocs/op 4 → 3", -0.2, -0.22, -0.18, 14),
		Tried("c", "x", "THE OPEN", model.Unsettled, "too few runs to rule out a slowdown of more than 3.0 %", -0.209, -0.23, -0.17, 7),
		Tried("d", "x", "THE REFUTED", model.RolledBack, "slower by 2.1 %", 0.02, 0.01, 0.03, 14),
	}
	out[1].Checks = append(out[1].Checks, model.Check{Name: "behaviour", Skipped: "no changed function could be driven: it takes a channel (c)"})
	out[2].Verdicts[0].Answer = model.Undecided
	return out
}

// OpenRun is a run in which nothing came of a change's interval, nor of the
// final one.
func OpenRun() *model.Run {
	r := Run()
	r.Attempts, r.Prospects = r.Attempts[:3], r.Prospects[:1]
	of := func(v *model.Verdict, change float64) {
		v.Answer, v.Change, v.Lo, v.Hi, v.Units, v.Links = model.Undecided, change, -1, 1e6, 4, true
		v.Course = Course(model.Verdict{Change: change, Lo: -0.02, Hi: 0.02, Units: 4})
		for i := range v.Course.Steps {
			v.Course.Steps[i].Lo, v.Course.Steps[i].Hi = -1, 1e6
		}
	}
	of(&r.Attempts[0].Verdicts[0], -0.042)
	of(r.Results[0].Verdict, -0.042)
	r.Attempts[2].Verdicts[0].Hi = 1e6
	return r
}

// Several is a run over more benchmarks than a screen shows whole.
func Several() *model.Run {
	r := Run()
	first := r.Results[0]
	r.Results = nil
	for i, name := range []string{"WriteMessage", "ReadMessage", "Handshake/cold", "Handshake/warm", "Flush"} {
		res := first
		res.Benchmark.Name = "Benchmark" + name
		if i > 0 {
			v := *first.Verdict
			v.Answer, v.Change, v.Lo, v.Hi = model.NoEffect, 0.001, -0.008, 0.009
			res.Verdict, res.After = &v, res.Before
			res.Counts = counts(5, 5, 73790, 73790)
		}
		if name == "Flush" {
			res.Counts[0].Noisy = true
		}
		r.Results = append(r.Results, res)
	}
	r.Attempts[1].Verdicts[0].Benchmark.Name = "BenchmarkReadMessage"
	r.Noise = append(r.Noise, model.Noise{Benchmark: r.Results[1].Benchmark, Sees: 0.03, Seconds: 60})
	r.Stopped = "budget"
	return r
}

// Runs are runs of each shape, by name.
var Runs = map[string]func() *model.Run{
	"kept": Run, "none": NothingKept, "idle": NothingToTry, "several": Several,
}

const brontide = "github.com/lightningnetwork/lnd/brontide"

// Write is the benchmark that the run is about.
var Write = model.Benchmark{Pkg: brontide, Name: "BenchmarkWriteMessage"}

// Run is a run as it might be: brontide's WriteMessage goes from five
// allocations to none, one idea is slower, and one is refused by the guard.
func Run() *model.Run {
	r := &model.Run{
		Schema: model.SchemaVersion, Tool: "v0.1.0", ID: "20260102T150405-optimize", Verb: "optimize",
		Args:   []string{"-bench", "WriteMessage$", "./brontide"},
		Module: "github.com/lightningnetwork/lnd", Head: "4c737d3f0a1b", Dirty: true,
		Started: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		Env: model.Environment{
			GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 9B14", CPUs: 2,
			Settings: map[string]string{"GOAMD64": "v1", "GOFLAGS": "-trimpath"}, Load: 0.4,
		},
		Plans:       []model.Plan{{Benchmark: Write, N: 2400, SliceNs: 121e6, SetupNs: 38e6, Mode: model.Duet, Clock: model.ClockProcess}},
		Noise:       []model.Noise{{Benchmark: Write, SD: 0.017, DuetNs: 0.41e9, Sees: 0.016, Seconds: 44, Duets: 12}},
		Targets:     sampleTargets(),
		Attempts:    SampleAttempts(),
		Unexplained: []model.Unexplained{{Benchmark: Write, Resource: model.Allocs, PerOp: 0.03, Kind: model.ReasonUnknown, Text: "below the resolution of the profile"}},
		Branch:      "pawl/20260102T150405", Dir: "/home/ada/lnd/.pawl/runs/20260102T150405-optimize",
		Report: "/home/ada/lnd/.pawl/runs/20260102T150405-optimize/report.html",
		Replay: "sh /home/ada/lnd/.pawl/runs/20260102T150405-optimize/replay.sh",
		Merge:  "git merge --ff-only pawl/20260102T150405", Drop: "git branch -D pawl/20260102T150405",
		Warnings: []model.Warning{{
			Seen:  "24 % of a process is set-up that is not timed",
			Cause: "the benchmark makes two connections and a handshake before its loop",
			Try:   "nothing: it costs time, and not accuracy",
		}},
		Split: model.Split{Build: 34, Test: 41, Measure: 178, Other: 9, Total: 262},
	}
	for _, t := range r.Targets {
		p := model.Prospect{Target: t, Skip: t.Skipped}
		if t.Skipped == "" {
			p.Kind, p.Title = "field", titleOf[t.ID]
		}
		r.Prospects = append(r.Prospects, p)
	}
	r.Results = []model.Result{{
		Benchmark: Write,
		Before:    model.Stats{CPUNs: 50512, WallNs: 51260, Allocs: 5, Bytes: 73790},
		After:     model.Stats{CPUNs: 27004, WallNs: 27630, Allocs: 0, Bytes: 2, Retained: 65580},
		Verdict: &model.Verdict{Benchmark: Write, Metric: "cpu/op", Answer: model.Faster,
			Change: -0.465, Lo: -0.481, Hi: -0.447, Level: 0.95, Units: 21, Evidence: 3.1e6, NoiseSD: 0.017},
		Counts: []model.Exact{
			{Benchmark: Write, Metric: "allocs/op", Before: 5, After: 0},
			{Benchmark: Write, Metric: "B/op", Before: 73790, After: 2},
			{Benchmark: Write, Metric: "retained-B", Before: 0, After: 65580},
		},
		Solo: &model.Solo{Benchmark: Write, Procs: 2, Runs: 5, WallBefore: []float64{51260, 51000, 52100, 53000, 50900}, WallAfter: []float64{27630, 27100, 29900, 28000, 27200}},
	}}
	r.Results[0].Verdict.Course = Course(*r.Results[0].Verdict)
	return r
}

var titleOf = map[string]string{
	"T1": "Seal each message into a buffer of the Machine",
	"T2": "Seal each header into a buffer of the Machine",
	"T3": "Keep the nonce in a field of cipherState",
	"T4": "Keep the packet length in a field of Machine",
	"T5": "Call rotateKey without a deferred closure",
}

func sampleTargets() []model.Target {
	t := func(id string, line int, fn string, res model.Resource, perOp, bytes, share, cpu, ceiling float64, kind model.ReasonKind, why, skip string) model.Target {
		return model.Target{
			ID: id, Benchmark: Write, Resource: res, At: model.Pos{File: "brontide/noise.go", Line: line},
			Func: brontide + ".(*" + fn, PerOp: perOp, Bytes: bytes, Share: share, CPUShare: cpu, Ceiling: ceiling,
			Reason: model.Reason{Kind: kind, Text: why}, Skipped: skip,
		}
	}
	nonce := t("T3", 116, "cipherState).Encrypt", model.Allocs, 2, 32, 0.4, 0.021, 0.4, model.ReasonEscape,
		"nonce escapes to heap: nonce[:] is passed to c.cipher.Seal, an interface method", "")
	nonce.Notes = []model.Note{{
		Kind: model.NoteEscape, Pkg: brontide, Chain: []model.Pos{{File: "brontide/noise.go", Line: 116, Col: 6}}, Message: "nonce escapes to heap",
		Flow: []model.FlowStep{
			{At: model.Pos{File: "brontide/noise.go", Line: 116, Col: 6}, Text: "flow: {heap} ← &nonce:"},
			{At: model.Pos{File: "brontide/noise.go", Line: 119, Col: 40}, Text: "from nonce[:] (slice)"},
			{At: model.Pos{File: "brontide/noise.go", Line: 119, Col: 22}, Text: "from c.cipher.Seal(...) (call parameter)"},
		},
	}}
	return []model.Target{
		t("T1", 750, "Machine).WriteMessage", model.Allocs, 1, 73728, 0.2, 0.38, 0.2, model.ReasonOutside,
			"make([]byte, total) escapes to heap in chacha20poly1305.sliceForAppend: dst is nil", ""),
		t("T2", 747, "Machine).WriteMessage", model.Allocs, 1, 24, 0.2, 0.02, 0.2, model.ReasonOutside,
			"make([]byte, total) escapes to heap in chacha20poly1305.sliceForAppend: dst is nil", ""),
		nonce,
		t("T4", 743, "Machine).WriteMessage", model.Allocs, 1, 2, 0.2, 0.01, 0.2, model.ReasonTiny,
			"pktLen escapes to heap: pktLen[:] is passed to Encrypt, whose parameter plainText leaks", ""),
		t("T5", 107, "cipherState).Encrypt", model.CPU, 640, 0, 0.013, 0.013, 0.026, model.ReasonHot,
			"a deferred closure runs on each call", ""),
		t("T6", 139, "cipherState).InitializeKey", model.CPU, 310, 0, 0.006, 0.006, 0.006, model.ReasonHot,
			"chacha20poly1305.New copies the key", "its ceiling, 0.6 %, is below what this machine sees"),
		t("T7", 184, "cipherState).rotateKey", model.Allocs, 0.004, 2, 0.001, 0.001, 0.001, model.ReasonOutside,
			"hkdf.New allocates", "runs once in 1000 messages"),
	}
}

// Diff is the diff of a kept change.
const Diff = `diff --git a/brontide/noise.go b/brontide/noise.go
--- a/brontide/noise.go
+++ b/brontide/noise.go
@@ -84,6 +84,10 @@ type cipherState struct {
 	// salt is an additional secret which is used during key rotation to
 	// generate new keys.
 	salt [32]byte
+
+	// nonceBuffer holds the nonce of the call under way. As a field it does
+	// not escape on each call.
+	nonceBuffer [12]byte
 
 	// cipher is an instance of the ChaCha20-Poly1305 AEAD construction
 	// created using the secretKey above.
@@ -113,8 +117,8 @@ func (c *cipherState) Encrypt(associatedData, cipherText, plainText []byte) []byte {
 		}
 	}()
 
-	var nonce [12]byte
-	binary.LittleEndian.PutUint64(nonce[4:], c.nonce)
+	c.nonceBuffer = [12]byte{}
+	binary.LittleEndian.PutUint64(c.nonceBuffer[4:], c.nonce)
 
-	return c.cipher.Seal(cipherText, nonce[:], plainText, associatedData)
+	return c.cipher.Seal(cipherText, c.nonceBuffer[:], plainText, associatedData)
 }
`

// SampleAttempts returns the attempts of the run, in their order.
func SampleAttempts() []model.Attempt {
	body := Tried("c1a4", "reuse", titleOf["T1"], model.Kept, "allocs/op 5 → 4, B/op 72.1 KiB → 62 B", -0.371, -0.389, -0.352, 16)
	body.Counts = counts(5, 4, 73790, 62)
	body.Change.Retains = "64.0 KiB per Machine: the largest message sent so far"
	body.Change.Targets = sampleTargets()[:1]
	body.Change.Obligations = []model.Obligation{
		{Text: "nobody holds the sealed message after it was flushed", How: "proven", Why: "nextBodySend is read in Flush only, and io.Writer.Write must not retain its argument"},
		{Text: "Seal does not keep dst", How: "assumed", Why: "the contract of cipher.AEAD"},
	}
	body.Solo = &model.Solo{Benchmark: Write, Procs: 2, Runs: 3, WallChange: -0.352, CPUChange: -0.366,
		WallBefore: []float64{50000, 52000, 51000}, WallAfter: []float64{32400, 31700, 34200}}

	pool := Tried("7be0", "pool", "Take message buffers from a sync.Pool", model.RolledBack, "slower by 2.1 %", 0.021, 0.009, 0.034, 24)
	pool.Verdicts[0].Answer = model.Slower

	header := Tried("91d2", "reuse", titleOf["T2"], model.Kept, "allocs/op 4 → 3", -0.031, -0.045, -0.016, 14)
	header.Counts = counts(4, 3, 62, 38)

	pointer := Tried("d00d", "pointer", "Return the header by pointer", model.RolledBack, "refused by the guard: creates a new escape at noise.go:741", 0, 0, 0, 0)
	pointer.Verdicts = nil
	pointer.Checks[4].OK = false
	pointer.Checks[4].Detail = "brontide/noise.go:741:2: moved to heap: header"
	pointer.Checks[3] = model.Check{Name: "race", Skipped: "an earlier check failed"}

	nonce := Tried("e5f6", "field", titleOf["T3"], model.Kept, "allocs/op 3 → 1", -0.064, -0.081, -0.047, 14)
	nonce.Counts = counts(3, 1, 38, 4)
	nonce.Change.Obligations = []model.Obligation{{Text: "Encrypt is not entered twice at once", How: "proven", Why: "it already writes c.nonce without a lock"}}

	length := Tried("a7b8", "field", titleOf["T4"], model.Kept, "allocs/op 1 → 0", -0.012, -0.024, 0.001, 31)
	length.Verdicts[0].Answer = model.NoEffect
	length.Counts = counts(1, 0, 4, 2)

	closure := Tried("c9d0", "defer", titleOf["T5"], model.Kept, "faster by 3.4 %", -0.034, -0.046, -0.021, 18)
	return []model.Attempt{body, pool, header, pointer, nonce, length, closure}
}

func counts(a0, a1, b0, b1 float64) []model.Exact {
	return []model.Exact{
		{Benchmark: Write, Metric: "allocs/op", Before: a0, After: a1},
		{Benchmark: Write, Metric: "B/op", Before: b0, After: b1},
	}
}

// Tried returns an attempt with a verdict and what became of it.
func Tried(id, kind, title string, o model.Outcome, reason string, change, lo, hi float64, units int) model.Attempt {
	a := model.Attempt{
		Change: model.Change{ID: id, Kind: kind, Title: title, Class: "A",
			Hypothesis: "allocs/op of WriteMessage falls, and CPU time with it"},
		Diff: Diff, Outcome: o, Reason: reason, Seconds: 31,
		Time: time.Date(2026, 1, 2, 15, 5, 0, 0, time.UTC),
		Verdicts: []model.Verdict{{Benchmark: Write, Metric: "cpu/op", Answer: model.Faster,
			Change: change, Lo: lo, Hi: hi, Level: 0.95, Units: units, Evidence: 40, NoiseSD: 0.017}},
	}
	for _, name := range []string{"types", "vet", "tests", "race", "escapes", "inlining"} {
		a.Checks = append(a.Checks, model.Check{Name: name, OK: true, Seconds: 1.2})
	}
	a.Verdicts[0].Course = Course(a.Verdicts[0])
	if o == model.Kept {
		a.Commit = "5b1c0f" + id
	}
	return a
}

// NothingKept is a run whose ideas did not hold up.
func NothingKept() *model.Run {
	r := Run()
	r.Attempts = []model.Attempt{r.Attempts[1], r.Attempts[3]}
	undecided := r.Attempts[0]
	undecided.Change.Title, undecided.Reason, undecided.Outcome = "Store the key schedule", "too little was measured to tell", model.Unsettled
	undecided.Verdicts = []model.Verdict{{Benchmark: Write, Metric: "cpu/op", Answer: model.Undecided, Change: -0.004, Lo: -0.019, Hi: 0.012, Level: 0.95, Units: 60}}
	r.Attempts = append(r.Attempts, undecided)
	r.Results[0].After, r.Results[0].Verdict, r.Results[0].Counts = model.Stats{}, nil, nil
	r.Branch, r.Merge, r.Drop, r.Warnings = "", "", "", nil
	return r
}

// NothingToTry is a run that found no candidate.
func NothingToTry() *model.Run {
	r := NothingKept()
	r.Attempts, r.Prospects = nil, r.Prospects[5:]
	r.Targets, r.Unexplained = nil, nil
	r.Prospects[0].Target.Leads = []model.Lead{
		{Kind: model.LeadCompiler, Seen: "cannot inline (*cipherState).InitializeKey: cost 96 exceeds budget 80", Try: "move the panic at line 141 to a function of its own"},
		{Kind: model.LeadRule, Seen: "the nearest rule is scratch (working memory made anew in each iteration or call)", Try: "pawl rules scratch shows the pattern and its fix", Rule: "scratch"},
		{Kind: model.LeadPractice, Seen: "it calls chacha20poly1305.New", Try: "keep the object and reset it", Rule: "scratchfield"},
	}
	r.Prospects[1].Target.Leads = r.Prospects[0].Target.Leads[2:]
	return r
}
