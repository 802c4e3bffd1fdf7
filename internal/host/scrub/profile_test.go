package scrub

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// labelled takes a profile of this process, of goroutines that have labels, so
// that it is a real one.
func labelled(t *testing.T) *profile.Profile {
	t.Helper()
	stop := make(chan struct{})
	ready := make(chan struct{})
	for _, user := range []string{"ada@example.com", "bob@example.com"} {
		go pprof.Do(context.Background(), pprof.Labels("user", user), func(context.Context) {
			ready <- struct{}{}
			<-stop
		})
		<-ready
	}
	var b bytes.Buffer
	err := pprof.Lookup("goroutine").WriteTo(&b, 0)
	close(stop)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCopyProfile(t *testing.T) {
	p := labelled(t)
	p.Comments, p.DocURL = []string{"taken on host-17"}, "https://host-17.example.com"
	var user *profile.Sample
	for _, s := range p.Sample {
		if s.Label["user"] != nil {
			// Where exactly the two of them wait is the scheduler's choice.
			if user == nil {
				user = s
			}
			s.Location = user.Location
		}
		s.NumLabel = map[string][]int64{"tenant": {4711}}
		s.NumUnit = map[string][]string{"tenant": {"tenant-unit"}}
	}
	if len(p.Mapping) == 0 {
		p.Mapping = []*profile.Mapping{{ID: 1}}
	}
	p.Mapping[0].File, p.Mapping[0].BuildID = "/home/ada/bin/shop", "c26736581932"
	p.Function[0].Filename = "/home/ada/src/shop/main.go"
	p.Function[1].Filename = `C:\Users\ada\src\shop\b.go`
	var in, out bytes.Buffer
	if err := p.Write(&in); err != nil {
		t.Fatal(err)
	}
	before := total(p)
	if err := CopyProfile(&out, &in); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"ada", "bob", "user", "host-17", "tenant", "c26736581932", "/home", "Users"} {
		if bytes.Contains(raw, []byte(s)) {
			t.Errorf("the profile still holds %q", s)
		}
	}
	got, err := profile.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	if after := total(got); after != before {
		t.Errorf("the values add up to %d, before to %d", after, before)
	}
	if len(got.Sample) >= len(p.Sample) {
		t.Errorf("%d samples, before %d: those that labels told apart are not added up", len(got.Sample), len(p.Sample))
	}
	names := map[string]bool{}
	for _, f := range got.Function {
		names[f.Filename] = true
	}
	if !names["~/src/shop/main.go"] || !names[`~\src\shop\b.go`] || got.Mapping[0].File != "shop" {
		t.Errorf("files: %v, mapping %q", names, got.Mapping[0].File)
	}
	if err := CopyProfile(io.Discard, strings.NewReader("no profile")); err == nil {
		t.Error("no error for what is no profile")
	}
}

func total(p *profile.Profile) (n int64) {
	for _, s := range p.Sample {
		n += s.Value[0]
	}
	return n
}
