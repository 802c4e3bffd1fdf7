'use strict';
// Flame graphs: each figure.flame holds its data once, as JSON, and the largest
// frames as boxes for those who read without a script. The boxes are replaced
// by all frames that are wide enough to see, and drawn again on each zoom.
(() => {
  const row = 19; // height of a frame in pixels; flameRow in flame.go

  for (const figure of document.querySelectorAll('figure.flame')) {
    const data = JSON.parse(figure.querySelector('script').textContent);
    if (data) flame(figure, data);
  }

  function flame(figure, d) {
    const n = d.nodes.length / d.columns;
    const cell = (i, k) => d.nodes[i * d.columns + k];
    const fn = (i) => cell(i, 0);
    const parent = (i) => i - cell(i, 1);
    const value = (i, side) => cell(i, 2 + side);
    const self = (i, side) => cell(i, (d.two ? 4 : 3) + side);
    const name = (i) => (i ? d.funcs[fn(i)][0] : 'all');
    const depth = new Uint16Array(n);
    for (let i = 1; i < n; i++) depth[i] = depth[parent(i)] + 1;

    const find = (q) => figure.querySelector(q);
    const chart = find('.flame-chart'), line = find('.flame-line'), all = find('.flame-all');
    const input = find('input'), output = find('output'), buttons = figure.querySelectorAll('[data-view]');
    let view = d.two ? 2 : 0; // base, candidate, difference
    let zoom = 0, current = 0, hits = null;
    let boxes = new Map(), rows = [], width = 0;

    const side = () => (view ? 1 : 0);
    const change = (i) => {
      const a = value(i, 0) * (d.per_op ? d.total[0] : 1), b = value(i, 1) * (d.per_op ? d.total[1] : 1);
      return a ? b / a - 1 : b ? Infinity : 0;
    };
    const changed = (i) => (change(i) === Infinity ? 'new' : percent(change(i)));
    const lead = (sign) => (sign ? `${sign} ` : '');
    const quantity = (i, s, of = value) => amount(d.unit, (of(i, s) / d.whole) * d.total[s]);
    const part = (i, s, of = value) => share(of(i, s) / d.whole);

    // figures says all about a frame that is not its name.
    function figures(i) {
      const f = i ? d.funcs[fn(i)] : null, out = [];
      if (d.two) {
        out.push(`${part(i, 0)} → ${part(i, 1)} of all`);
        out.push(`${quantity(i, 0)} → ${quantity(i, 1)}${d.per_op ? ' per op' : ''}`);
        if (cell(i, 6)) out.push((d.per_op || !value(i, 0) ? '' : 'share ') + changed(i));
        else if (i) out.push(value(i, 0) || value(i, 1) ? 'no change beyond noise' : 'none');
        out.push(`itself ${part(i, 0, self)} → ${part(i, 1, self)}`);
      } else {
        out.push(`${part(i, 0)} of all, ${quantity(i, 0)}${d.per_op ? ' per op' : ''}`, `itself ${part(i, 0, self)}`);
      }
      if (f && d.files[f[1]]) out.push(`${d.files[f[1]]}:${f[2]}`);
      return out.join(' · ');
    }

    function tell(i) {
      line.replaceChildren(element('b', name(i)), element('span', figures(i)));
    }

    function element(tag, text) {
      const e = document.createElement(tag);
      e.textContent = text;
      return e;
    }

    function look(i) {
      if (view !== 2) return `k${i ? d.funcs[fn(i)][3] : 2}`;
      const tone = cell(i, 6);
      return tone ? (tone > 0 ? `p${tone}` : `m${-tone}`) : 't0';
    }

    function box(i, x, w, px) {
      const sign = view === 2 && cell(i, 6) ? changed(i) : '';
      const e = element('div', sign && px > 40 && px < 100 ? sign : px > 34 ? lead(sign) + short(name(i)) : '');
      e.className = look(i) + (px < 4 ? ' thin' : '') + (depth[i] < depth[zoom] ? ' up' : '') + (hits ? (hits[fn(i)] ? ' hit' : ' miss') : '');
      e.style.cssText = `left:${x}%;width:${w}%;top:${depth[i] * row}px`;
      e.tabIndex = -1;
      e.title = name(i);
      e.setAttribute('role', 'treeitem');
      e.setAttribute('aria-level', depth[i] + 1);
      e.setAttribute('aria-label', `${lead(sign)}${name(i)}, ${figures(i)}`);
      e.dataset.node = i;
      boxes.set(i, e);
      (rows[depth[i]] ||= []).push(i);
    }

    // draw lays out the frame that is zoomed to, at full width, with those above
    // it and all below it that can be seen.
    function draw() {
      width = chart.clientWidth;
      boxes = new Map();
      rows = [];
      const s = side(), next = new Float64Array(n).fill(NaN), per = 100 / (value(zoom, s) || 1);
      const above = []; // the root first, as a tree is read
      for (let i = zoom; i >= 0; i = parent(i)) above.unshift(i);
      for (const i of above) box(i, 0, 100, width);
      next[zoom] = 0;
      for (let i = zoom + 1; i < n; i++) {
        const x = next[parent(i)];
        if (Number.isNaN(x)) continue;
        const w = value(i, s) * per, px = (w * width) / 100;
        next[i] = x;
        next[parent(i)] = x + w;
        if (px >= (hits && hits[fn(i)] ? 0.2 : 1)) box(i, x, w, px);
      }
      while (!boxes.has(current)) current = parent(current);
      chart.style.height = `${rows.length * row}px`;
      const focused = chart.contains(document.activeElement);
      chart.replaceChildren(...boxes.values());
      all.disabled = zoom === 0;
      mark(current, focused, true);
    }

    function mark(i, focus, still = false) {
      boxes.get(current)?.setAttribute('tabindex', '-1');
      current = i;
      boxes.get(i).tabIndex = 0;
      if (focus) boxes.get(i).focus({ preventScroll: still });
      tell(i);
    }

    function go(i, at = i) {
      zoom = i;
      current = at;
      draw();
    }

    function show(v) {
      view = v;
      for (const b of buttons) b.setAttribute('aria-pressed', String(Number(b.dataset.view) === v));
      for (const l of figure.querySelectorAll('.flame-legend')) l.hidden = (l.dataset.tones !== undefined) !== (v === 2);
      if (!value(zoom, side())) zoom = 0;
      draw();
    }

    // search marks the functions that match. Their share is that of the stacks
    // with one of them: a function below another that matches adds nothing.
    function search() {
      const q = input.value.trim(), was = hits;
      hits = null;
      output.textContent = '';
      if (q) {
        const re = pattern(q), below = new Uint8Array(n), sum = [0, 0];
        let frames = 0;
        hits = d.funcs.map((f) => re.test(f[0]));
        for (let i = 1; i < n; i++) {
          const hit = hits[fn(i)];
          below[i] = hit || below[parent(i)] ? 1 : 0;
          if (!hit) continue;
          frames++;
          if (!below[parent(i)]) for (const s of [0, 1]) if (s === 0 || d.two) sum[s] += value(i, s);
        }
        const text = d.two ? `${share(sum[0] / d.whole)} → ${share(sum[1] / d.whole)}` : share(sum[0] / d.whole);
        output.textContent = frames ? `${text} of all, in ${frames} ${frames === 1 ? 'frame' : 'frames'}` : 'no match';
      }
      if (hits || was) draw();
    }

    // step returns the frame that a key leads to.
    function step(key, i) {
      const at = rows[depth[i]].indexOf(i);
      switch (key) {
        case 'ArrowUp': return parent(i);
        case 'ArrowDown': return rows[depth[i] + 1]?.find((k) => parent(k) === i) ?? -1;
        case 'ArrowLeft': return rows[depth[i]][at - 1] ?? -1;
        case 'ArrowRight': return rows[depth[i]][at + 1] ?? -1;
        case 'Home': return 0;
        default: return undefined;
      }
    }

    chart.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const to = step(e.key, current);
      if (to >= 0) mark(to, true);
      else if (e.key === 'Enter' || e.key === ' ') go(current);
      else if (to === undefined) return;
      e.preventDefault();
    });
    chart.addEventListener('click', (e) => {
      const i = Number(e.target.dataset.node ?? -1);
      if (i >= 0) go(i);
    });
    chart.addEventListener('focusin', (e) => e.target.dataset.node && mark(Number(e.target.dataset.node), false));
    chart.addEventListener('pointerover', (e) => e.target.dataset.node && tell(Number(e.target.dataset.node)));
    chart.addEventListener('pointerleave', () => tell(current));
    figure.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape') return;
      if (e.target === input && input.value) input.value = '';
      else if (zoom) return go(0, current);
      search();
    });
    all.addEventListener('click', () => go(0, current));
    input.addEventListener('input', search);
    for (const b of buttons) b.addEventListener('click', () => show(Number(b.dataset.view)));
    new ResizeObserver(() => chart.clientWidth !== width && draw()).observe(chart);

    for (const e of figure.querySelectorAll('.flame-tools, .flame-line, .flame-keys')) e.hidden = false;
    chart.setAttribute('role', 'tree');
    show(view);
  }

  // pattern is a regular expression where the text is one, else the text itself.
  function pattern(q) {
    try {
      return new RegExp(q, 'i');
    } catch {
      return new RegExp(q.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    }
  }

  // short is a symbol without the path of its package.
  function short(name) {
    const bracket = name.indexOf('[');
    const plain = bracket < 0 ? name : `${name.slice(0, bracket)}[…]${name.slice(name.lastIndexOf(']') + 1)}`;
    const head = bracket < 0 ? plain : plain.slice(0, bracket);
    return plain.slice(head.lastIndexOf('/') + 1);
  }

  // The figures are those of figures.go.
  function three(x) {
    if (x === 0) return '0';
    return x.toFixed(x < 0.0995 ? 3 : x < 9.995 ? 2 : x < 99.95 ? 1 : 0);
  }
  function scaled(x, by, units) {
    let i = 0;
    for (; i < units.length - 1 && x >= by - 0.5; i++) x /= by;
    return `${three(x)} ${units[i]}`;
  }
  function amount(unit, x) {
    if (unit === 'ns') return scaled(x, 1000, ['ns', 'µs', 'ms', 's']);
    if (unit === 'bytes') return scaled(x, 1024, ['B', 'KiB', 'MiB', 'GiB']);
    return `${x < 100 && Math.abs(x - Math.round(x)) > 0.005 ? x.toFixed(2) : Math.round(x).toLocaleString('en')} ${unit}`;
  }
  function share(x) {
    if (x > 0 && x < 0.0005) return '< 0.1 %';
    return `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;
  }
  function percent(x) {
    const s = (100 * Math.abs(x)).toFixed(Math.abs(x) >= 0.1 ? 0 : 1);
    return `${Number(s) === 0 ? '' : x < 0 ? '−' : '+'}${s} %`;
  }
})();
