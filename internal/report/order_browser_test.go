package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/browser"
	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/report/runs"
)

// rightToLeft is a name whose letters are written from right to left, in two
// scripts, and would move the figures and the words between them.
const rightToLeft = "\u05d0\u05d12806\u05d2_\u0645\u0646 x \u05d3(1)"

// outOfOrder returns the pieces of text in which a character stands left of one
// before it on the same line, and how many pieces have letters that could do so.
const outOfOrder = `(() => {
  const block = (e) => { while (/^(inline|contents)/.test(getComputedStyle(e).display)) e = e.parentElement; return e; };
  const pieces = new Map(), range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let t; (t = walker.nextNode()); ) {
    if (t.parentElement.closest('script, style')) continue;
    const e = block(t.parentElement);
    if (!pieces.has(e)) pieces.set(e, []);
    for (let i = 0; i < t.length; i++) {
      range.setStart(t, i); range.setEnd(t, i + 1);
      const r = range.getClientRects()[0];
      if (r && r.width > 0) pieces.get(e).push({ c: t.data[i], x: r.left, y: r.top });
    }
  }
  let looked = 0;
  const wrong = [];
  for (const [e, glyphs] of pieces) {
    if (!glyphs.some((g) => /[\u0590-\u06ff]/.test(g.c))) continue;
    looked++;
    if (glyphs.some((g, i) => i && Math.abs(g.y - glyphs[i - 1].y) < 1 && g.x < glyphs[i - 1].x)) wrong.push(e.tagName + '.' + e.className + ': ' + glyphs.map((g) => g.c).join('').slice(0, 90));
  }
  return { looked, wrong };
})()`

// What is read as code, and the names in all else, stand in the order of their
// characters, whatever the script that they are written in.
func TestOrderOfCharacters(t *testing.T) {
	t.Parallel()
	run := specimen.Run()
	run.Attempts, run.Prospects = run.Attempts[:1], run.Prospects[:1]
	run.Module, run.Results[0].Benchmark.Name = rightToLeft, "Benchmark"+rightToLeft
	a, target := &run.Attempts[0], &run.Prospects[0].Target
	a.Change.Title, a.Reason = "Seal "+rightToLeft+" into a buffer", rightToLeft
	a.Diff = strings.ReplaceAll(specimen.Diff, "nonceBuffer", rightToLeft)
	target.At.File, target.Func, target.Reason.Text = rightToLeft+"/noise.go", "m."+rightToLeft, rightToLeft+" escapes to heap"
	extra := runs.Extra{Excerpts: map[string]code.Excerpt{target.ID: {
		File: rightToLeft + ".go", First: 7, Lines: []string{"func " + rightToLeft + "() { return \"" + rightToLeft + "\" } // " + rightToLeft},
		Notes: map[int][]string{7: {rightToLeft + " escapes"}},
	}}}
	flame := specimen.Flame()
	for i := range flame.Funcs {
		flame.Funcs[i].Name = "m." + rightToLeft
	}
	extra.Flames = []model.Flame{flame}

	ctx, p := visit(t, specimen.Written(t, func(b *bytes.Buffer) error { return runs.HTML(b, run, extra) }))
	_, err := p.OpenAll(ctx)
	must(t, err)
	for _, l := range []browser.Look{looks()[0], looks()[4], {Width: 720, Height: 1000, Print: true}} {
		must(t, p.Show(ctx, l))
		var got struct {
			Looked int
			Wrong  []string
		}
		must(t, p.Eval(ctx, outOfOrder, &got))
		if got.Looked < 20 {
			t.Errorf("%s: only %d pieces of text have such a name", l, got.Looked)
		}
		for _, w := range got.Wrong {
			t.Errorf("%s: out of order: %s", l, w)
		}
	}
}
