package mcp

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/sorted"
)

type findIn struct {
	Packages []string `json:"packages,omitempty" jsonschema:"as for go test; ./... without any"`
	Tier     string   `json:"tier,omitempty" jsonschema:"always, profiled, special or all; only what is wrong wherever it stands without it"`
	Since    string   `json:"since,omitempty" jsonschema:"a git ref: only lines that changed since"`
	Limit    int      `json:"limit,omitempty" jsonschema:"how many findings; 8 without it"`
}

type findOut struct {
	Output   string          `json:"output"`
	Findings []finding       `json:"findings"`
	Left     int             `json:"left"`
	Warnings []model.Warning `json:"warnings,omitempty"`
}

type finding struct {
	Rule    string `json:"rule"`
	At      string `json:"at"`
	Func    string `json:"func,omitempty"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty" jsonschema:"what pawl find -diff shows"`
	Try     string `json:"try,omitempty"`
}

func (s *Server) find(ctx context.Context, c *call, in findIn) (findOut, error) {
	var flags []string
	for name, value := range map[string]string{"tier": in.Tier, "since": in.Since} {
		if value != "" {
			flags = append(flags, "-"+name+"="+value)
		}
	}
	data, id, err := c.run(ctx, job{verb: "find", flags: flags, operands: in.Packages})
	if err != nil {
		return findOut{}, err
	}
	f, err := unmarshal[model.Findings]("find", data)
	out := findOut{Output: id, Findings: []finding{}, Warnings: f.Warnings}
	shown, left := some(f.Findings, in.Limit)
	for _, x := range shown {
		short := finding{Rule: x.Rule, At: x.At.String(), Func: x.Func, Message: x.Message, Try: x.Try}
		if x.Fix != nil {
			short.Fix = x.Fix.Title
		}
		out.Findings = append(out.Findings, short)
	}
	out.Left = left
	return out, err
}

type compareIn struct {
	scope
	Base      string `json:"base" jsonschema:"a git ref"`
	Candidate string `json:"candidate" jsonschema:"a git ref, or . for the working tree"`
}

type compareOut struct {
	Run        string          `json:"run,omitempty"`
	Output     string          `json:"output"`
	Benchmarks []compared      `json:"benchmarks" jsonschema:"what needs a look first"`
	Left       int             `json:"left"`
	Warnings   []model.Warning `json:"warnings,omitempty"`
}

type compared struct {
	Benchmark string `json:"benchmark"`
	Standing  string `json:"standing" jsonschema:"clean, improved, regressed, accepted, unchanged, undecided, failed or one side only"`
	Why       string `json:"why"`
	Speed     string `json:"speed,omitempty"`
}

func (s *Server) compare(ctx context.Context, c *call, in compareIn) (compareOut, error) {
	flags, err := in.flags(s.Budget)
	if err != nil {
		return compareOut{}, err
	}
	operands := append([]string{in.Base, in.Candidate}, in.Packages...)
	data, id, err := c.run(ctx, job{verb: "compare", flags: flags, operands: operands, turn: true, foreign: true})
	if err != nil {
		return compareOut{}, err
	}
	cmp, err := unmarshal[model.Comparison]("compare", data)
	out := compareOut{Run: cmp.ID, Output: id, Benchmarks: []compared{}, Warnings: cmp.Warnings}
	sorted.By(cmp.Benchmarks, func(a, b model.Compared) int { return urgency(a.Standing) - urgency(b.Standing) })
	shown, left := some(cmp.Benchmarks, 20)
	for _, b := range shown {
		short := compared{Benchmark: b.Benchmark.String(), Standing: string(b.Standing), Why: b.Why}
		if b.Verdict != nil {
			short.Speed = speed(b.Verdict)
		}
		out.Benchmarks = append(out.Benchmarks, short)
	}
	out.Left = left
	return out, err
}

// urgency orders benchmarks: what speaks against the candidate, what is open, the rest.
func urgency(s model.Standing) int {
	switch s {
	case model.Regressed, model.Failed:
		return 0
	case model.Open, model.OneSided:
		return 1
	}
	return 2
}

type evidenceIn struct {
	Rules  []string `json:"rules" jsonschema:"names of rules; one takes about half a minute"`
	Budget string   `json:"budget,omitempty"`
}

type evidenceOut struct {
	Output  string  `json:"output"`
	Results []claim `json:"results"`
}

// A claim is what a rule claims, and what was measured.
type claim struct {
	Rule    string  `json:"rule"`
	Claimed string  `json:"claimed"`
	Verdict string  `json:"verdict"`
	Why     string  `json:"why"`
	Ratio   float64 `json:"ratio" jsonschema:"before ÷ after"`
}

func (s *Server) evidence(ctx context.Context, c *call, in evidenceIn) (evidenceOut, error) {
	flags, err := scope{Budget: in.Budget}.flags(s.Budget)
	if err != nil {
		return evidenceOut{}, err
	}
	data, id, err := c.run(ctx, job{verb: "evidence", flags: flags, operands: in.Rules, turn: true})
	if err != nil {
		return evidenceOut{}, err
	}
	out, err := unmarshal[evidenceOut]("evidence", data)
	out.Output = id
	return out, err
}

type diagnoseIn struct {
	Targets []string `json:"targets" jsonschema:"pprof files below the module's directory, or URLs of a program on a loopback address"`
	Base    []string `json:"base,omitempty" jsonschema:"earlier profiles of the same kind, for what changed"`
	Seconds int      `json:"seconds,omitempty" jsonschema:"how long a URL is profiled"`
}

type diagnoseOut struct {
	Output   string          `json:"output"`
	Profiles []symptoms      `json:"profiles"`
	Warnings []model.Warning `json:"warnings,omitempty"`
}

type symptoms struct {
	Kind  string `json:"kind"`
	Signs []sign `json:"signs"`
}

type sign struct {
	Name    string   `json:"name"`
	Share   string   `json:"share"`
	Meaning string   `json:"meaning"`
	Lever   string   `json:"lever"`
	Before  string   `json:"before" jsonschema:"what must hold before that is done"`
	Lines   []string `json:"lines,omitempty"`
}

// diagnose reads profiles. It runs no code of the module: it takes no package.
func (s *Server) diagnose(ctx context.Context, c *call, in diagnoseIn) (diagnoseOut, error) {
	flags := []string(nil)
	for _, t := range append(append([]string(nil), in.Targets...), in.Base...) {
		if err := near(t); err != nil {
			return diagnoseOut{}, err
		}
	}
	for _, b := range in.Base {
		flags = append(flags, "-base="+b)
	}
	if in.Seconds > 0 {
		flags = append(flags, fmt.Sprintf("-seconds=%d", in.Seconds))
	}
	data, id, err := c.run(ctx, job{verb: "diagnose", flags: flags, operands: in.Targets})
	if err != nil {
		return diagnoseOut{}, err
	}
	d, err := unmarshal[model.Diagnosis]("diagnose", data)
	out := diagnoseOut{Output: id, Profiles: []symptoms{}, Warnings: d.Warnings}
	for _, p := range d.Profiles {
		short := symptoms{Kind: p.Kind, Signs: []sign{}}
		for _, x := range p.Signs {
			g := sign{Name: x.Title, Share: figure.Share(x.Gain()) + " of " + x.What, Meaning: x.Meaning, Lever: x.Lever, Before: x.Before}
			callers, _ := some(x.Callers, 5)
			for _, caller := range callers {
				g.Lines = append(g.Lines, fmt.Sprintf("%s %s:%d", caller.Func, caller.File, caller.Line))
			}
			short.Signs = append(short.Signs, g)
		}
		out.Profiles = append(out.Profiles, short)
	}
	return out, err
}

// profiles are the extensions of files that diagnose takes: a package or a binary
// would be run.
var profiles = []string{".pprof", ".prof", ".pb", ".gz", ".out", ".trace"}

// near returns an error for what is neither a file below the module's directory
// nor a loopback URL: an agent must not make pawl read or ask anything else.
func near(target string) error {
	u, err := url.Parse(target)
	if err == nil && u.Scheme != "" {
		ip := net.ParseIP(u.Hostname())
		if strings.HasPrefix(u.Scheme, "http") && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
			return nil
		}
		return fmt.Errorf("%s is not on a loopback address; a person can ask it: pawl diagnose %[1]s", target)
	}
	if !filepath.IsLocal(target) || !slices.Contains(profiles, filepath.Ext(target)) {
		return fmt.Errorf("%q is neither a profile below the module's directory (%s) nor a URL", target, strings.Join(profiles, ", "))
	}
	return nil
}

type logIn struct {
	Run string `json:"run,omitempty" jsonschema:"id of a run, or latest; without it the runs are listed"`
}

type logOut struct {
	Output   string    `json:"output,omitempty"`
	Runs     []ran     `json:"runs,omitempty"`
	Left     int       `json:"left,omitempty"`
	Attempts []attempt `json:"attempts,omitempty"`
	Branch   string    `json:"branch,omitempty" jsonschema:"where the kept changes are"`
}

// A ran is one run in a list.
type ran struct {
	ID      string `json:"id"`
	Verb    string `json:"verb"`
	Started string `json:"started"`
	Tried   int    `json:"tried"`
	Kept    int    `json:"kept"`
	Stopped string `json:"stopped,omitempty"`
}

func (s *Server) log(ctx context.Context, c *call, in logIn) (logOut, error) {
	if in.Run != "" {
		r, err := c.earlier(ctx, in.Run)
		if err != nil {
			return logOut{}, err
		}
		out := logOut{Branch: r.Branch}
		for _, a := range r.Last() {
			out.Attempts = append(out.Attempts, attemptOf(a))
		}
		return out, nil
	}
	h, id, err := c.history(ctx)
	if err != nil {
		return logOut{}, err
	}
	out := logOut{Output: id}
	runs, left := some(h.Runs, 20)
	for _, r := range runs {
		out.Runs = append(out.Runs, ran{r.ID, r.Verb, r.Started.Format("2006-01-02 15:04"), len(r.Last()), r.Kept(), r.Stopped})
	}
	out.Left = left
	return out, nil
}
