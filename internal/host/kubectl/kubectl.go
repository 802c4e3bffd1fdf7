// Package kubectl asks a Kubernetes cluster by the kubectl command: which pods there are,
// and for a local port that leads to a port of one. Which cluster that is, and with which
// rights, is kubectl's own matter (KUBECONFIG, its current context).
//
// A port is forwarded as kubectl port-forward does it: from the pod's own network, so that
// a listener on its loopback address can be asked.
package kubectl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// program is the command, looked for on PATH.
const program = "kubectl"

const (
	// mostListed is how many bytes a list of pods may have.
	mostListed = 64 << 20
	// patience is how long kubectl may take to answer, and to forward a port.
	patience = 30 * time.Second
)

// A Pod is one of a cluster.
type Pod struct {
	Name    string
	Running bool           // and not being deleted
	Ports   map[string]int // of its containers, by their names
}

// list is the part of what kubectl get pods -o json prints that is read.
type list struct {
	Items []struct {
		Metadata struct {
			Name    string  `json:"name"`
			Deleted *string `json:"deletionTimestamp"`
		} `json:"metadata"`
		Spec struct {
			Containers []struct {
				Ports []struct {
					Name string `json:"name"`
					Port int    `json:"containerPort"`
				} `json:"ports"`
			} `json:"containers"`
		} `json:"spec"`
		Status struct {
			Phase string `json:"phase"`
		} `json:"status"`
	} `json:"items"`
}

// named is what Kubernetes takes for the name of a pod (RFC 1123).
var named = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// namespaced adds a namespace to arguments; "" is the one of kubectl's context.
func namespaced(namespace string, args ...string) []string {
	if namespace != "" {
		args = append(args, "--namespace="+namespace)
	}
	return args
}

// Pods returns the pods of a namespace, "" for that of kubectl's context, with the labels
// of a selector as kubectl takes it. The error has what kubectl said.
func Pods(ctx context.Context, namespace, selector string) ([]Pod, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := run(ctx, namespaced(namespace, "get", "pods", "--output=json", "--selector="+selector)...)
	if err != nil {
		return nil, err
	}
	var l list
	if err := json.Unmarshal(out, &l); err != nil {
		return nil, fmt.Errorf("kubectl get pods: what it printed is no list of pods: %w", err)
	}
	var pods []Pod
	for _, item := range l.Items {
		if !named.MatchString(item.Metadata.Name) {
			return nil, fmt.Errorf("kubectl get pods: %q is no name of a pod", item.Metadata.Name)
		}
		p := Pod{Name: item.Metadata.Name, Running: item.Status.Phase == "Running" && item.Metadata.Deleted == nil, Ports: map[string]int{}}
		for _, c := range item.Spec.Containers {
			for _, port := range c.Ports {
				p.Ports[port.Name] = port.Port
			}
		}
		pods = append(pods, p)
	}
	return pods, nil
}

func run(ctx context.Context, args ...string) ([]byte, error) {
	var out, errs bounded
	out.most, errs.most = mostListed, 1<<10
	cmd := command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("kubectl %s: no answer after %v", args[0], patience)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, failed(args[0], err, errs.String())
	case out.over:
		return nil, fmt.Errorf("kubectl %s printed more than %d MiB", args[0], mostListed>>20)
	}
	return out.Bytes(), nil
}

// command ends with its context, and does not hold up the caller where what it has started
// goes on.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

// failed says why a kubectl did not do it, in its own words.
func failed(verb string, err error, said string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("there is no %s on PATH: pods are reached by it", program)
	}
	if said = strings.TrimPrefix(strings.Join(strings.Fields(said), " "), "error: "); said == "" {
		said = err.Error()
	}
	return fmt.Errorf("kubectl %s: %s", verb, said)
}

// A Forward is a local port that leads to one of a pod.
type Forward struct {
	Addr string // host and port, on loopback

	cancel context.CancelFunc
	done   chan struct{}
}

// forwarding is what kubectl port-forward prints when it listens.
var forwarding = regexp.MustCompile(`^Forwarding from (127\.0\.0\.1:[0-9]+) -> [0-9]+`)

// Open forwards a port of a pod, until Close or the end of the context. The error has what
// kubectl said.
func Open(ctx context.Context, namespace, pod string, port int) (*Forward, error) {
	ctx, cancel := context.WithCancel(ctx)
	f := &Forward{cancel: cancel, done: make(chan struct{})}
	cmd := command(ctx, namespaced(namespace, "port-forward", "--address=127.0.0.1", "pod/"+pod, fmt.Sprintf(":%d", port))...)
	said := &announced{addr: make(chan string, 1)}
	var errs bounded
	errs.most = 1 << 10
	cmd.Stdout, cmd.Stderr = said, &errs
	err := cmd.Start()
	if err != nil {
		cancel()
		return nil, failed("port-forward", err, "")
	}
	go func() {
		defer close(f.done)
		err = cmd.Wait()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case f.Addr = <-said.addr:
	case <-f.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	if f.Addr != "" {
		return f, nil
	}
	late := ctx.Err()
	f.Close()
	switch {
	case late != nil:
		return nil, late
	case err == nil && errs.Len() == 0:
		return nil, fmt.Errorf("kubectl port-forward: it does not listen after %v", patience)
	}
	return nil, failed("port-forward", err, errs.String())
}

// An announced waits for the line that says where kubectl listens.
type announced struct {
	line []byte // the one that is not at its end, and what of it matters
	addr chan string
}

func (a *announced) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case c != '\n' && len(a.line) < 256:
			a.line = append(a.line, c)
		case c == '\n':
			if m := forwarding.FindSubmatch(a.line); m != nil {
				select {
				case a.addr <- string(m[1]):
				default: // it is known
				}
			}
			a.line = a.line[:0]
		}
	}
	return len(p), nil
}

// Close ends the forwarding, and returns when kubectl has ended.
func (f *Forward) Close() {
	f.cancel()
	<-f.done
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	bytes.Buffer
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.Len()
	if len(p) > room {
		b.over = true
		b.Buffer.Write(p[:max(0, room)])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}
