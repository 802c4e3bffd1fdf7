package watch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/kubectl"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// podScheme begins the name of pods.
const podScheme = "k8s:"

// mostPods is how many pods are captured in one round. Where there are more, each has
// its turn.
const mostPods = 8

// pods are the programs of one service in a cluster. Each is captured by a port that is
// forwarded for one round, so that nothing is left between rounds.
type pods struct {
	namespace, selector string
	port, path          string // of the listener; a port may have a name
	token               string
	turn                int
	by                  map[string]*service // those that were captured, by name
}

// podTarget is k8s:NAMESPACE/SELECTOR:PORT, with the path of the profiles behind it where
// that is another than usual.
var podTarget = regexp.MustCompile(`^k8s:([a-z0-9-]*)/([^:?]+):([a-z0-9-]+)(/[^?]*)?$`)

func parsePods(where, token string) (*pods, error) {
	m := podTarget.FindStringSubmatch(where)
	if m == nil {
		return nil, testbed.Usagef("%s: write pods as k8s:NAMESPACE/LABELS:PORT, such as k8s:shop/app=api:6060; without a namespace it is that of kubectl's context", where)
	}
	return &pods{namespace: m[1], selector: m[2], port: m[3], path: m[4], token: token, by: map[string]*service{}}, nil
}

func (p *pods) String() string {
	return podScheme + p.namespace + "/" + p.selector + ":" + p.port + p.path
}

// usual is what the captures are called unless the user says: the value of the first label.
func (p *pods) usual() string {
	first, _, _ := strings.Cut(p.selector, ",")
	if _, value, ok := strings.Cut(first, "="); ok {
		return strings.Trim(value, "= ")
	}
	return first
}

// program is the first pod that runs, by its name.
func (p *pods) program(ctx context.Context) (*service, func(), error) {
	all, err := kubectl.Pods(ctx, p.namespace, p.selector)
	if err != nil {
		return nil, nil, err
	}
	running := slices.DeleteFunc(all, func(x kubectl.Pod) bool { return !x.Running })
	if len(running) == 0 {
		return nil, nil, fmt.Errorf("%s: no pod runs", p)
	}
	x := slices.MinFunc(running, func(a, b kubectl.Pod) int { return cmp.Compare(a.Name, b.Name) })
	s, f, err := p.open(ctx, x)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s: %w", p, x.Name, err)
	}
	return &service{Service: s, instance: x.Name, absent: map[string]bool{}}, f.Close, nil
}

// round captures each pod that runs, at the same time. One that gives nothing, or is gone,
// is a gap of its own.
func (p *pods) round(ctx context.Context, w *watcher) ([]taken, error) {
	all, err := kubectl.Pods(ctx, p.namespace, p.selector)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	running := slices.DeleteFunc(all, func(x kubectl.Pod) bool { return !x.Running })
	for _, x := range running {
		there[x.Name] = true
	}
	out := p.gone(there)
	if len(running) == 0 && len(out) == 0 {
		return nil, fmt.Errorf("%s: no pod runs", p)
	}
	some := p.some(running)
	each := make([][]taken, len(some))
	var wg sync.WaitGroup
	for i, x := range some {
		s := p.by[x.Name]
		if s == nil {
			s = &service{instance: x.Name, absent: map[string]bool{}}
			p.by[x.Name] = s
		}
		wg.Go(func() { each[i] = p.capture(ctx, w, x, s) })
	}
	wg.Wait()
	return slices.Concat(append([][]taken{out}, each...)...), nil
}

// gone are gaps for pods that were captured and run no more.
func (p *pods) gone(there map[string]bool) (out []taken) {
	now := time.Now().UTC()
	for _, name := range slices.Sorted(maps.Keys(p.by)) {
		if !there[name] {
			delete(p.by, name)
			out = append(out, taken{Capture: ring.Capture{From: now, Until: now, Instance: name, Gap: "the pod is gone"}})
		}
	}
	return out
}

// some are the pods whose turn it is.
func (p *pods) some(running []kubectl.Pod) []kubectl.Pod {
	sorted.By(running, func(a, b kubectl.Pod) int { return cmp.Compare(a.Name, b.Name) })
	if len(running) <= mostPods {
		return running
	}
	from := p.turn % len(running)
	p.turn += mostPods
	return slices.Concat(running[from:], running[:from])[:mostPods]
}

func (p *pods) capture(ctx context.Context, w *watcher, x kubectl.Pod, s *service) []taken {
	from := time.Now().UTC()
	got, err := p.take(ctx, w, x, s)
	if err != nil {
		return []taken{{Capture: ring.Capture{From: from, Until: time.Now().UTC(), Instance: x.Name, Gap: reason(err)}}}
	}
	return got
}

// open forwards a port to a pod. The caller closes what leads there.
func (p *pods) open(ctx context.Context, x kubectl.Pod) (*target.Service, *kubectl.Forward, error) {
	port, err := strconv.Atoi(p.port)
	if err != nil {
		if port = x.Ports[p.port]; port == 0 {
			return nil, nil, fmt.Errorf("none of its containers has a port that is called %s", p.port)
		}
	}
	f, err := kubectl.Open(ctx, p.namespace, x.Name, port)
	if err != nil {
		return nil, nil, err
	}
	s, err := target.NewService("http://"+f.Addr+p.path, p.token)
	if err != nil {
		f.Close()
	}
	return s, f, err
}

func (p *pods) take(ctx context.Context, w *watcher, x kubectl.Pod, s *service) ([]taken, error) {
	at, f, err := p.open(ctx, x)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s.Service = at
	got, err := s.round(ctx, w)
	if err != nil {
		// The forwarded port is another each time, and says nothing to a reader.
		return nil, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "http://"+f.Addr, x.Name+":"+p.port))
	}
	for _, t := range got {
		for kind, why := range t.Missing {
			t.Missing[kind] = x.Name + ": " + strings.ReplaceAll(why, "http://"+f.Addr, x.Name+":"+p.port)
		}
	}
	return got, nil
}
