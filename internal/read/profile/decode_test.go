package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// A content is what pawl keeps of a profile, in an order of its own.
type content struct {
	Types            [][2]string
	Unit             [2]string
	Period, Duration int64
	Go               bool
	Functions        []string
	Stacks           map[string][]int64
}

// ours is the content of what was read here.
func ours(p *Profile) content {
	c := content{Unit: [2]string{p.unit.name, p.unit.unit}, Period: p.period, Duration: p.duration, Go: p.IsGo(), Stacks: map[string][]int64{}}
	for _, t := range p.types {
		c.Types = append(c.Types, [2]string{t.name, t.unit})
	}
	for _, f := range p.Functions() {
		c.Functions = append(c.Functions, f.Func+" "+f.File)
	}
	var e expander
	for i := range p.of {
		key := fmt.Sprintf("%d ", len(p.stacks[p.of[i]]))
		for _, f := range e.stack(p, p.frames, i) {
			key += fmt.Sprintln(f.Func, f.File, f.Line, f.Inline)
		}
		c.add(key, p.row(i))
	}
	return c
}

// theirs is the content as google's package reads it.
func theirs(p *profile.Profile) content {
	c := content{Unit: [2]string{p.PeriodType.Type, p.PeriodType.Unit}, Period: p.Period, Duration: p.DurationNanos, Stacks: map[string][]int64{}}
	for _, t := range p.SampleType {
		c.Types = append(c.Types, [2]string{t.Type, t.Unit})
	}
	for _, f := range p.Function {
		c.Go = c.Go || strings.HasSuffix(f.Filename, ".go")
	}
	for _, l := range p.Location {
		for _, line := range l.Line {
			if f := line.Function.Name + " " + line.Function.Filename; !slices.Contains(c.Functions, f) {
				c.Functions = append(c.Functions, f)
			}
		}
	}
	for _, s := range p.Sample {
		key := fmt.Sprintf("%d ", len(s.Location))
		for _, l := range s.Location {
			for i, line := range l.Line {
				key += fmt.Sprintln(line.Function.Name, line.Function.Filename, line.Line, i < len(l.Line)-1)
			}
		}
		c.add(key, s.Value)
	}
	return c
}

func (c *content) add(stack string, values []int64) {
	if c.Stacks[stack] == nil {
		c.Stacks[stack] = make([]int64, len(values))
	}
	for i, v := range values {
		c.Stacks[stack][i] += v
	}
}

// differ reads data both ways and fails where the answers differ. What is over
// our limits, which theirs has not, does not count.
func differ(t *testing.T, data []byte) {
	t.Helper()
	got, err := Read(bytes.NewReader(data))
	want, theirErr := profile.ParseData(data)
	if theirErr == nil {
		theirErr = want.CheckValid()
	}
	switch {
	case errors.Is(err, errOverflow): // there the sum is some other figure
	case (err == nil) != (theirErr == nil):
		t.Errorf("error %v; google's package says %v", err, theirErr)
	case err == nil:
		if diff := cmp.Diff(theirs(want), ours(got)); diff != "" {
			t.Errorf("content (-theirs +ours):\n%s", diff)
		}
	}
}

// samples are profiles as programs and tools write them.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	put := func(name string, p *profile.Profile) {
		var packed, plain bytes.Buffer
		if err := p.Write(&packed); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteUncompressed(&plain); err != nil {
			t.Fatal(err)
		}
		out[name], out[name+", plain"] = packed.Bytes(), plain.Bytes()
	}
	cpus := cpu().add([]int64{30, 300}, "~"+alloc, encode, body).add([]int64{3, 30}, "~"+alloc, encode, body).add([]int64{20, 200}, body).add([]int64{1, 10}).p
	cpus.PeriodType, cpus.Period, cpus.DurationNanos, cpus.TimeNanos = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, 100, 7e9, 1
	cpus.Comments, cpus.DropFrames = []string{"a", "b", "c"}, "x|y"
	put("cpu", cpus)
	sizes := heap().add([]int64{10, 160, 1, 16}, alloc, encode).add([]int64{10, 320, 1, 32}, alloc, encode).add([]int64{5, 160, 0, 0}, alloc, encode)
	for i, s := range sizes.p.Sample {
		s.NumLabel, s.NumUnit = map[string][]int64{"bytes": {int64(16 << i)}}, map[string][]string{"bytes": {"bytes"}}
		s.Label = map[string][]string{"host": {"a"}}
	}
	put("heap", sizes.p)
	put("difference", cpu().add([]int64{30, 300}, body).add([]int64{-30, -300}, body).p)
	far := cpu().add([]int64{1, 2}, encode, body, alloc).p
	for i, l := range far.Location {
		l.ID = 1<<40 + uint64(1<<(31+i))
	}
	far.Function[1].ID = 1 << 63
	put("far ids", far)
	for _, name := range []string{"heap", "goroutine", "allocs", "mutex"} {
		for _, debug := range []int{0, 1} {
			var buf bytes.Buffer
			if err := pprof.Lookup(name).WriteTo(&buf, debug); err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprintf("live %s %d", name, debug)] = buf.Bytes()
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "*", "*", "testdata", "*.pprof"))
	if err != nil || len(files) == 0 {
		t.Fatal("no profile of another package was found", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = data
	}
	return out
}

func TestSameAsGoogles(t *testing.T) {
	all := samples(t)
	cpus := all["cpu"]
	all["two members"] = slices.Concat(cpus, cpus)
	all["garbage behind"] = append(slices.Clone(cpus), "garbage"...)
	all["zeros behind"] = append(slices.Clone(all["cpu, plain"]), 0, 0, 0, 0)
	for i := 0; i < len(all["cpu, plain"]); i++ {
		all[fmt.Sprintf("cut after %d", i)] = all["cpu, plain"][:i]
	}
	for name, data := range all {
		t.Run(name, func(t *testing.T) { differ(t, data) })
	}
}

// pb writes protobuf messages: pairs of a field and a number, text or message.
func pb(fields ...any) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		num := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num), uint64(v))
		case uint64:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num), v)
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num|2), uint64(len(v))), v...)
		}
	}
	return b
}

// hostile are profiles that somebody made up.
func hostile() map[string][]byte {
	begin := pb(1, pb(1, 1), 6, "", 6, "n")
	one := slices.Concat(begin, pb(4, pb(1, 1, 4, pb(1, 1)), 5, pb(1, 1, 2, 1)))
	with := func(fields ...any) []byte { return slices.Concat(one, pb(fields...)) }
	long := bytes.Repeat([]byte{0xff}, 11)
	return map[string][]byte{
		"a sample":                 with(2, pb(1, 1, 2, 5)),
		"packed ids":               with(2, pb(1, []byte{1, 1, 1}, 2, []byte{5})),
		"packed in parts":          with(2, pb(1, []byte{1, 1}, 1, 1, 1, []byte{1}, 2, 5)),
		"an id that is too long":   with(2, pb(1, []byte{0x81, 0x80, 0x00}, 2, 5)),
		"no locations":             with(2, pb(2, 5)),
		"no values":                with(2, pb(1, 1)),
		"values too many":          with(2, pb(1, 1, 2, []byte{1, 2})),
		"values too many, later":   with(2, pb(2, 1), 2, pb(2, []byte{1, 2})),
		"types too few":            slices.Concat(pb(6, ""), pb(2, pb(2, 5))),
		"types behind samples":     slices.Concat(pb(2, pb(1, 1, 2, 5)), one),
		"location that is absent":  with(2, pb(1, 2, 2, 5)),
		"location 0":               with(2, pb(1, 0, 2, 5)),
		"location beyond all":      with(2, pb(1, uint64(1<<63), 2, 5)),
		"location twice":           with(4, pb(1, 1)),
		"location without id":      with(4, pb(3, 1)),
		"a line of no function":    with(4, pb(1, 2, 4, pb(2, 7))),
		"a line of another":        with(4, pb(1, 2, 4, pb(1, 2))),
		"function twice":           with(5, pb(1, 1)),
		"function without id":      with(5, pb(2, 1)),
		"mapping twice":            with(3, pb(1, 1), 3, pb(1, 1)),
		"mapping without id":       with(3, pb(2, 1)),
		"mapping that is absent":   with(4, pb(1, 2, 2, 9)),
		"a name beyond all":        with(5, pb(1, 2, 2, 2)),
		"a negative name":          with(5, pb(1, 2, 2, uint64(1<<64-1))),
		"a system name beyond all": with(5, pb(1, 2, 3, 2)),
		"a comment beyond all":     with(13, 9),
		"packed comments":          with(13, []byte{1, 0}),
		"a label beyond all":       with(2, pb(1, 1, 2, 5, 3, pb(1, 7))),
		"a label's text beyond":    with(2, pb(1, 1, 2, 5, 3, pb(1, 1, 2, 7))),
		"a label's unit beyond":    with(2, pb(1, 1, 2, 5, 3, pb(1, 1, 3, 1, 4, 7))),
		"a text's unit beyond":     with(2, pb(1, 1, 2, 5, 3, pb(1, 1, 2, 1, 4, 7))),
		"a label that is a number": with(2, pb(1, 1, 2, 5, 3, 1)),
		"first string":             slices.Concat(pb(6, "n"), one),
		"no strings":               pb(1, pb(1, 0)),
		"period type twice":        with(11, pb(1, 1), 11, pb(2, 1)),
		"duration twice":           with(10, 1, 10, 2),
		"time twice":               with(9, 1, 9, 2),
		"time twice, first 0":      with(9, 0, 9, 2),
		"of another kind":          with(9, "text"),
		"of another kind, sample":  with(2, 5),
		"a number without end":     append(slices.Clone(one), append([]byte{10 << 3}, long...)...),
		"a number of ten bytes":    append(slices.Clone(one), append([]byte{10 << 3}, append(long[:9:9], 0x7f)...)...),
		"a tag without end":        append(slices.Clone(one), long...),
		"a size without end":       append(slices.Clone(one), append([]byte{2<<3 | 2}, long...)...),
		"a size past the end":      append(slices.Clone(one), 2<<3|2, 0xff, 0xff, 0xff, 0xff, 0x0f),
		"a size beyond all":        append(slices.Clone(one), append([]byte{2<<3 | 2}, append(long[:9:9], 1)...)...),
		"ids without end":          with(2, pb(1, long, 2, 5)),
		"fixed 64":                 append(slices.Clone(one), 99<<1&0x78|1, 1, 2, 3, 4, 5, 6, 7, 8),
		"fixed 64, unknown field":  append(slices.Clone(one), 0x81|0x08, 0x7d, 1, 2, 3, 4, 5, 6, 7, 8),
		"a group":                  append(slices.Clone(one), 20<<3&0x78|3),
		"an unknown field":         with(99, "anything", 98, 7),
		"field 0":                  with(0, 7),
		"newline and text":         []byte("\nheap profile: 1: 2 [3: 4] @ heap/1\n"),
		"text":                     []byte("heap profile: 1: 16 [3: 48] @ heap/2\n1: 16 [3: 48] @ 0x1 0x2\n"),
		"goroutines as text":       []byte("goroutine profile: total 3\n2 @ 0x1 0x2\n1 @ 0x3\n"),
		"html":                     []byte("<html>log in</html>"),
		"empty":                    {},
	}
}

func TestHostile(t *testing.T) {
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) { differ(t, data) })
	}
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z, _ := gzip.NewWriterLevel(&buf, gzip.BestSpeed)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// What google's package takes and we do not, for what it would cost.
func TestLimits(t *testing.T) {
	one := pb(1, pb(1, 1), 6, "", 6, "n", 4, pb(1, 1, 4, pb(1, 1)), 5, pb(1, 1, 2, 1))
	deep := func(n int) []byte { return slices.Concat(one, pb(2, pb(1, bytes.Repeat([]byte{1}, n), 2, 5))) }
	inlined := slices.Concat(one, pb(4, append(pb(1, 2), bytes.Repeat(pb(4, pb(1, 1)), 2000)...), 2, pb(1, bytes.Repeat([]byte{2}, 1000), 2, 5)))
	zeros := make([]byte, 64<<20)
	for name, tt := range map[string]struct {
		data []byte
		want string // "" or a part of the error
	}{
		"a million frames":         {deep(1_000_000), ""},
		"two million frames":       {deep(2_000_000), "more than 1048576 frames"},
		"two million, all inlined": {inlined, "more than 1048576 frames"},
		"300 types":                {slices.Concat(one, bytes.Repeat(pb(1, pb(1, 1)), 300)), "256 types"},
		"300 values":               {slices.Concat(one, pb(2, pb(2, make([]byte, 300)))), "256 values"},
		"a field of a GiB":         {append(slices.Clone(one), 6<<3|2, 0x80, 0x80, 0x80, 0x80, 4), "a field has 1024 MiB"},
		"a bomb":                   {gzipped(t, zeros), "larger than 32 MiB"},
		"packed twice":             {gzipped(t, gzipped(t, one)), "no profile: it is packed twice"},
		"several":                  {slices.Concat(one, pb(9, 1, 9, 1)), "files of their own"},
		"empty":                    {nil, "empty"},
		"empty, packed":            {gzipped(t, nil), "empty"},
		"cut":                      {gzipped(t, deep(9000))[:40], "unexpected EOF"},
		"no gzip":                  {[]byte{0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "unpacking it"},
		"text":                     {[]byte("hello\n"), "not a pprof profile"},
	} {
		_, err := ReadLimited(bytes.NewReader(tt.data), 32<<20)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
}

var mutations = flag.Int("mutations", 2000, "how many broken profiles TestMutated makes")

// What the fuzzer does, without looking for new paths and so a hundred times as
// often: bytes are changed, left out and put in twice.
func TestMutated(t *testing.T) {
	var all [][]byte
	for _, data := range hostile() {
		all = append(all, data)
	}
	for _, name := range []string{"cpu, plain", "heap, plain", "difference, plain", "far ids, plain", "cpu"} {
		all = append(all, samples(t)[name])
	}
	slices.SortFunc(all, bytes.Compare)
	r := rand.New(rand.NewPCG(3, 4))
	for range *mutations {
		data := slices.Clone(all[r.IntN(len(all))])
		for range 1 + r.IntN(3) {
			if len(data) == 0 {
				break
			}
			i := r.IntN(len(data))
			j := min(len(data), i+r.IntN(9))
			switch r.IntN(4) {
			case 0:
				data[i] = byte(r.Uint32())
			case 1:
				data[i] += byte(r.IntN(3)) - 1
			case 2:
				data = slices.Delete(data, i, j)
			case 3:
				data = slices.Insert(data, j, data[i:j]...)
			}
		}
		if differ(t, data); t.Failed() {
			t.Fatalf("data %q", data)
		}
	}
}

func FuzzSameAsGoogles(f *testing.F) {
	for _, data := range samples(f) {
		if len(data) < 600 { // larger ones are minimized for a minute each
			f.Add(data)
		}
	}
	for _, data := range hostile() {
		f.Add(data)
	}
	f.Fuzz(differ)
}

// Figures that no program can have are refused, since their sum would be
// another figure: below zero, say.
func TestOverflow(t *testing.T) {
	for name, values := range map[string][2]int64{
		"the sum":      {math.MaxInt64, 1},
		"its negative": {math.MinInt64, 0},
		"twice over":   {math.MinInt64, math.MinInt64},
	} {
		p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}}
		for i, v := range values {
			f := &profile.Function{ID: uint64(i + 1), Name: fmt.Sprint("f", i)}
			l := &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: f}}}
			p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{v}})
		}
		var buf bytes.Buffer
		if err := p.Write(&buf); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&buf); !errors.Is(err, errOverflow) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
