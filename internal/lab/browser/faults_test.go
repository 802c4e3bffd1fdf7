package browser

import (
	"slices"
	"strings"
	"testing"
)

// Each page has one fault, which is found, and nothing else is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"fine":            {`<h1>x</h1><p>text <a href="#b">b</a></p><h2 id="b">b</h2>`, ""},
		"wide":            {`<h1>x</h1><div style="width:900px">wide</div>`, "sideways: the page is"},
		"wide inside":     {`<h1>x</h1><div tabindex="0" role="region" aria-label="r" style="overflow-x:auto"><pre style="width:900px">wide</pre></div>`, ""},
		"nowhere":         {`<h1>x</h1><a href="#no">there</a>`, `links: the link "there" leads to #no`},
		"same id":         {`<h1 id="a">x</h1><p id="a">y</p>`, "links: the id a is there twice"},
		"label of none":   {`<h1>x</h1><p aria-labelledby="q">y</p>`, "links: aria-labelledby of p names q"},
		"pale":            {`<h1>x</h1><p style="color:#999">pale</p>`, `contrast: 2.85 of 4.5: p in body, as "pale"`},
		"pale by opacity": {`<h1>x</h1><p style="opacity:.4">pale</p>`, `contrast: `},
		"pale on a tint":  {`<h1>x</h1><p style="background:oklch(0.5 0 0);color:#555">pale</p>`, `contrast: `},
		"pale on a part":  {`<h1>x</h1><p style="background:linear-gradient(90deg, #333 50%, transparent 50%)">pale</p>`, `contrast: `},
		"large may":       {`<h1 style="color:#888">x</h1>`, ""},
		"pale in SVG":     {`<h1>x</h1><svg width="200" height="40" role="img" aria-label="s"><rect width="200" height="40" fill="#333"/><text x="5" y="20">pale</text></svg>`, `contrast: `},
		"light in SVG":    {`<h1>x</h1><svg width="200" height="40" role="img" aria-label="s"><rect width="200" height="40" fill="#333"/><text x="5" y="20" fill="white">light</text></svg>`, ""},
		"cut":             {`<h1>x</h1><p style="width:50px;overflow:hidden;white-space:nowrap">a long text that is cut</p>`, `cut: p "a long text that is cut" is cut by p`},
		"cut and told":    {`<h1>x</h1><p title="a long text that is cut" style="width:50px;overflow:hidden;white-space:nowrap">a long text that is cut</p>`, ""},
		"cut in SVG":      {`<h1>x</h1><svg width="40" height="40" role="img" aria-label="s"><text x="5" y="20">a long text</text></svg>`, `cut: text "a long text" is cut by svg`},
		"off the edge":    {`<h1>x</h1><p style="position:absolute;left:-30px">a long text</p>`, `cut: p "a long text" sticks out`},
		"over":            {`<h1>x</h1><p style="position:relative">one text<b style="position:absolute;left:0;top:3px">other text</b></p>`, `overlap: p "one text" and b "other text"`},
		"scrolls":         {`<h1>x</h1><div style="overflow-x:auto"><pre style="width:900px">wide</pre></div>`, "scrollers: div scrolls and has no tabindex"},
		"two tops":        {`<h1>x</h1><h1>y</h1>`, "headings: 2 headings of the first level"},
		"a level less":    {`<h1>x</h1><h3>y</h3>`, `headings: h3 "y" follows on level 1`},
		"no name":         {`<h1>x</h1><button></button>`, "nameless: a button"},
		"speaks":          {`<h1>x</h1><script>console.log("hello")</script>`, "said: log: hello"},
		"asks":            {`<h1>x</h1><script>fetch("http://127.0.0.1:1/").catch(() => {})</script>`, "asked for: http://127.0.0.1:1/"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, p := visit(t, `<style>p,h1{background:white}</style>`+c.body)
			got, err := p.Faults(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, c.want) }) {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}

func TestFocus(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1><style>#b:focus{outline:none}</style><a href="#b">first</a><button id="b">second</button><details><summary>third</summary><a href="#b">hidden</a></details>`)
	all, err := p.Stops(ctx)
	if err != nil || len(all) != 3 {
		t.Fatalf("%q: %v", all, err)
	}
	for i, marked := range []bool{true, false, true} {
		if err := p.Key(ctx, "Tab"); err != nil {
			t.Fatal(err)
		}
		at, err := p.Focus(ctx)
		if err != nil || at == nil || at.N != i || at.Marked != marked || !at.Inside {
			t.Errorf("stop %d: %+v: %v", i, at, err)
		}
	}
}

func TestFocusBelowSomething(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1><a href="#b">first</a><div style="position:fixed;inset:0;background:white">over it</div>`)
	if err := p.Key(ctx, "Tab"); err != nil {
		t.Fatal(err)
	}
	if at, err := p.Focus(ctx); err != nil || at == nil || at.Inside {
		t.Errorf("%+v: %v", at, err)
	}
}
