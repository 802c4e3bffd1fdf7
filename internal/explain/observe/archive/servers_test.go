package archive

import (
	"bytes"
	"flag"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/read/profile"
)

var parca = flag.String("parca", "", "the `URL` of a Parca server that scrapes itself as the job parca")

// A real server answers with profiles of the time that was asked for, of each type that
// Go's runtime has, and says where it has none. It is Parca built from its module, whose
// pages are a file that says so, with this in its configuration:
//
//	scrape_configs: [{job_name: parca, scrape_interval: 10s, static_configs: [{targets: ['127.0.0.1:7070']}]}]
func TestServers(t *testing.T) {
	if *parca == "" {
		t.Skip("name a server: -parca http://127.0.0.1:7070")
	}
	until := time.Now()
	from := until.Add(-10 * time.Minute)
	for typ, of := range map[string]string{
		"":                                     "cpu",
		"memory:inuse_space:bytes:space:bytes": "inuse_space",
		"goroutine:goroutine:count:goroutine:count": "goroutine",
	} {
		q, err := Parse("parca:"+*parca+"?"+typ+`{job="parca"}`, "")
		if err != nil {
			t.Fatal(err)
		}
		data, err := q.Merged(t.Context(), from, until)
		if err != nil {
			t.Errorf("%s: %v", q, err)
			continue
		}
		p, err := profile.Read(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", q, err)
			continue
		}
		sum, _, err := p.Total(of)
		if err != nil || sum <= 0 {
			t.Errorf("%s: %v of %s among %v, %v", q, sum, of, p.Types(), err)
		}
		t.Logf("%s: %d bytes, %v of %v", q, len(data), sum, p.Types())
	}
	q, err := Parse("parca:"+*parca+"?nobody", "")
	if err != nil {
		t.Fatal(err)
	}
	data, err := q.Merged(t.Context(), from, until)
	if err != nil {
		return // it may say so
	}
	p, err := profile.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range p.Types() {
		if sum, _, err := p.Total(typ); err != nil || sum != 0 {
			t.Errorf("of nobody there are %v of %s, %v", sum, typ, err)
		}
	}
}
