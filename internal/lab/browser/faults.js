// What a person would stumble over on a page, each as one line of text. The
// whole file is one expression, an object of functions, that is evaluated in
// the page.
(() => {
	const all = (selector, root = document) => [...root.querySelectorAll(selector)]
	const root = () => document.scrollingElement

	// name tells which element it is about.
	const name = e => {
		let s = e.localName
		if (e.id) return s + '#' + e.id
		const c = e.getAttribute('class')
		if (c) s += '.' + c.trim().split(/\s+/).join('.')
		return s
	}
	const quote = s => '"' + s.trim().replace(/\s+/g, ' ').slice(0, 50) + '"'
	const style = e => getComputedStyle(e)
	const parents = function* (e) { for (; e; e = e.parentElement) yield e }
	// once remembers what f says about an element: nothing changes while this runs.
	const once = f => {
		const known = new Map()
		return e => {
			if (!known.has(e)) known.set(e, f(e))
			return known.get(e)
		}
	}

	// seen says whether an element is drawn at all. What is one pixel large is
	// there for screen readers.
	const seen = e => {
		const r = e.getBoundingClientRect()
		return r.width > 1 && r.height > 1 && e.checkVisibility({visibilityProperty: true, opacityProperty: true})
	}

	// texts are the pieces of text that can be seen, with a box for each line, and
	// one for the whole.
	const texts = () => {
		const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange()
		const shown = once(seen)
		for (let n; n = walk.nextNode();) {
			const e = n.parentElement
			if (!n.data.trim() || /^(script|style|noscript|template|title|desc|option)$/.test(e.localName) || !shown(e)) continue
			range.selectNodeContents(n)
			const boxes = [...range.getClientRects()].filter(r => r.width > 1 && r.height > 1).map(r => clipped(e, r)).filter(r => r)
			if (boxes.length) out.push({e, text: n.data, boxes, whole: range.getBoundingClientRect()})
		}
		return out
	}

	// opening is what the elements around one, and itself, let be seen.
	const free = (e, s) => s.display === 'inline' && !(e instanceof SVGSVGElement)
	const everything = {left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity}
	const opening = once(e => {
		if (!e || e === document.body || e === document.documentElement) return everything
		let b = opening(e.parentElement)
		const s = style(e)
		if (free(e, s) || s.overflowX === 'visible' && s.overflowY === 'visible') return b
		const c = e.getBoundingClientRect()
		if (s.overflowX !== 'visible') b = {...b, left: Math.max(b.left, c.left), right: Math.min(b.right, c.right)}
		if (s.overflowY !== 'visible') b = {...b, top: Math.max(b.top, c.top), bottom: Math.min(b.bottom, c.bottom)}
		return b
	})
	const clipped = (e, r) => {
		const o = opening(e)
		const b = {left: Math.max(r.left, o.left), right: Math.min(r.right, o.right), top: Math.max(r.top, o.top), bottom: Math.min(r.bottom, o.bottom)}
		return b.right - b.left > 1 && b.bottom - b.top > 1 ? b : null
	}

	// sideways: the page itself must not scroll to the side.
	const sideways = () => {
		const over = root().scrollWidth - root().clientWidth
		if (over <= 0) return []
		const wide = all('body *').filter(e => {
			if (!seen(e) || e.getBoundingClientRect().right + scrollX <= root().clientWidth + 0.5) return false
			for (const p of parents(e.parentElement)) if (p !== document.body && p !== root() && style(p).overflowX !== 'visible') return false
			return true
		})
		return [`the page is ${over} px wider than the window: ` + wide.slice(-3).map(name).join(', ')]
	}

	// links: what refers to a place in the page must find it, and an id is one.
	const links = () => {
		const out = [], ids = new Set()
		for (const e of all('[id]')) {
			if (ids.has(e.id)) out.push(`the id ${e.id} is there twice`)
			ids.add(e.id)
		}
		for (const a of all('a[href^="#"], use[href^="#"]')) {
			const id = decodeURIComponent(a.getAttribute('href').slice(1))
			if (id !== '' && id !== 'top' && !ids.has(id)) out.push(`the link ${quote(a.textContent)} leads to #${id}, which is not there`)
			const to = document.getElementById(id)
			if (a.localName === 'a' && to && seen(a) && !to.closest('details:not([open])') && !seen(to)) out.push(`the link ${quote(a.textContent)} leads to #${id}, which cannot be seen`)
		}
		for (const at of ['for', 'aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant']) {
			for (const e of all(`[${at}]`)) for (const id of e.getAttribute(at).split(/\s+/)) {
				if (id && !ids.has(id)) out.push(`${at} of ${name(e)} names ${id}, which is not there`)
			}
		}
		return out
	}

	// A colour as the browser paints it, whatever the notation.
	const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
	const known = new Map()
	const paint = css => {
		if (!known.has(css)) {
			canvas.canvas.width = canvas.canvas.height = 1
			canvas.fillStyle = 'rgba(0,0,0,0)'
			canvas.fillStyle = css
			canvas.clearRect(0, 0, 1, 1)
			canvas.fillRect(0, 0, 1, 1)
			const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
			known.set(css, {r, g, b, a: a / 255})
		}
		return known.get(css)
	}
	const over = (top, under, alpha = 1) => {
		const a = top.a * alpha, mix = k => top[k] * a + under[k] * (1 - a)
		return {r: mix('r'), g: mix('g'), b: mix('b'), a: 1}
	}
	const luminance = c => {
		const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
		return 0.2126 * f(c.r) + 0.7152 * f(c.g) + 0.0722 * f(c.b)
	}
	const ratio = (a, b) => {
		const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p)
		return (x + 0.05) / (y + 0.05)
	}
	const opacity = once(e => e ? style(e).opacity * opacity(e.parentElement) : 1)

	// grounds are the colours that may lie below the text of an element: one, or
	// more where there is a gradient.
	const grounds = once(e => {
		if (!e) return [paint('Canvas')]
		const below = grounds(e.parentElement)
		if (e instanceof SVGElement && !(e instanceof SVGSVGElement)) return below
		const s = style(e), o = opacity(e)
		const out = below.map(c => over(paint(s.backgroundColor), c, o))
		if (s.backgroundImage === 'none') return out
		const stops = s.backgroundImage.match(/(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]*\)|\btransparent\b/g) || []
		return out.concat(stops.flatMap(stop => out.map(c => over(paint(stop), c, o))))
	})
	// drawn are the filled shapes of a picture, in the order of painting.
	const drawn = once(svg => all('rect, path, circle, ellipse, polygon', svg).map(e => {
		const s = style(e), r = e.getBoundingClientRect()
		if (s.fill === 'none' || s.fill.startsWith('url') || !e.checkVisibility({visibilityProperty: true})) return null
		return {e, r, ink: paint(s.fill), alpha: s.fillOpacity * opacity(e)}
	}).filter(d => d))
	const below = (e, box) => {
		let out = grounds(e)
		if (!e.ownerSVGElement) return out
		const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
		for (const d of drawn(e.ownerSVGElement)) {
			if (x < d.r.left || x > d.r.right || y < d.r.top || y > d.r.bottom) continue
			if (!(d.e.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)) break
			out = out.map(c => over(d.ink, c, d.alpha))
		}
		return out
	}

	// contrast: WCAG 2.2, 1.4.3. Large is 24 px, or 18.66 px in bold. What is pale
	// in the same way is told once.
	const contrast = () => {
		const out = new Map()
		const check = (e, s, box, text) => {
			const size = parseFloat(s.fontSize), need = size >= 24 || size >= 18.66 && +s.fontWeight >= 700 ? 3 : 4.5
			const ink = paint(e instanceof SVGElement ? s.fill : s.color), o = opacity(e)
			const worst = Math.min(...below(e, box).map(g => ratio(over(ink, g, o), g)))
			if (worst > need - 0.005) return
			const key = `${worst.toFixed(2)} of ${need}: ${name(e)} in ${name(e.parentElement)}`
			out.set(key, out.get(key) || quote(text))
		}
		for (const t of texts()) if (!t.e.closest(':disabled, [aria-disabled=true]')) check(t.e, style(t.e), t.boxes[0], t.text)
		for (const e of all('input[placeholder]')) if (seen(e)) check(e, style(e, '::placeholder'), e.getBoundingClientRect(), e.placeholder)
		return [...out].map(([key, text]) => key + ', as ' + text)
	}

	// edges are where the text of an element would be cut: the boxes around it that
	// hide what sticks out of them, up to one that scrolls.
	const edges = once(e => {
		if (!e || e === document.body) return {free: false, boxes: []}
		const s = style(e)
		if (/auto|scroll/.test(s.overflowX)) return {free: true, boxes: []}
		const up = edges(e.parentElement)
		return /hidden|clip/.test(s.overflowX) && !free(e, s) ? {...up, boxes: [...up.boxes, {e, r: e.getBoundingClientRect()}]} : up
	})

	// cut: text that ends at an edge where nothing can be scrolled. What is cut
	// on purpose says elsewhere what it is.
	const cut = () => {
		const out = []
		for (const {e, text, whole: r} of texts()) {
			const {free, boxes} = edges(e)
			const svg = e.ownerSVGElement, told = !svg && e.closest('[title], [aria-label]:not([role=region])')
			const by = boxes.find(b => {
				const wide = r.right > b.r.right + 1.5 || r.left < b.r.left - 1.5
				return !told && (wide || b.e === svg && (r.bottom > b.r.bottom + 1.5 || r.top < b.r.top - 1.5))
			})
			if (by) out.push(`${name(e)} ${quote(text)} is cut by ${name(by.e)}`)
			else if (!free && (Math.max(r.left, opening(e).left) + scrollX < -1 || Math.min(r.right, opening(e).right) + scrollX > root().clientWidth + 1)) out.push(`${name(e)} ${quote(text)} sticks out of the page`)
		}
		return out
	}

	// overlap: no text on another. A box is a little higher than its letters.
	const overlap = () => {
		const boxes = texts().flatMap(t => t.boxes.map(b => {
			const trim = (b.bottom - b.top) * 0.17
			return {left: b.left, right: b.right, top: b.top + trim, bottom: b.bottom - trim, t}
		})).sort((a, b) => a.top - b.top)
		const out = new Set()
		boxes.forEach((a, i) => {
			for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom - 1.5; j++) {
				const b = boxes[j]
				if (a.t === b.t || Math.min(a.right, b.right) - Math.max(a.left, b.left) < 2) continue
				if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 2) continue
				if (above(a.t.e, b.t.e)) continue
				out.add(`${name(a.t.e)} ${quote(a.t.text)} and ${name(b.t.e)} ${quote(b.t.text)} overlap`)
			}
		})
		return [...out]
	}
	// above: one of both is in something that floats over the page.
	const above = (a, b) => {
		const layer = e => [...parents(e)].find(p => /fixed|sticky/.test(style(p).position) || p.popover && p.matches(':popover-open') || p.localName === 'dialog') || null
		return layer(a) !== layer(b)
	}

	// scrollers: what scrolls can be reached by key, and has a name.
	const scrollers = () => all('body *').filter(e => {
		const s = style(e)
		return seen(e) && (/auto|scroll/.test(s.overflowX) && e.scrollWidth > e.clientWidth + 1 || /auto|scroll/.test(s.overflowY) && e.scrollHeight > e.clientHeight + 1) && e.localName !== 'textarea' && e.localName !== 'input'
	}).filter(e => e.tabIndex < 0 || !e.hasAttribute('tabindex') && !e.querySelector('a[href], button, [tabindex]')).map(e => `${name(e)} scrolls and has no tabindex: ${quote(e.textContent)}`)

	// headings: one h1, and no level left out.
	const headings = () => {
		const hs = all('h1, h2, h3, h4, h5, h6').filter(seen), out = []
		const ones = hs.filter(h => h.localName === 'h1').length
		if (ones !== 1) out.push(`${ones} headings of the first level`)
		hs.forEach((h, i) => {
			const level = +h.localName[1], before = i ? +hs[i - 1].localName[1] : 0
			if (level > before + 1) out.push(`${name(h)} ${quote(h.textContent)} follows on level ${before}`)
		})
		return out
	}

	// stops: all that Tab should come by.
	const stops = () => all('a[href], button, input, select, textarea, summary, [tabindex]').filter(e => e.tabIndex >= 0 && !e.disabled && seen(e) && !e.closest('[inert]'))

	// focus: what has it, and whether that can be seen: it looks different, is in
	// the window, and nothing covers it.
	const focus = () => {
		const e = document.activeElement
		if (!e || e === document.body || e === document.documentElement) return null
		const marks = x => {
			const s = style(x)
			return [s.outlineStyle === 'none' ? 0 : s.outlineWidth + s.outlineStyle + s.outlineColor, s.boxShadow, s.textDecorationLine, s.borderColor, s.borderWidth, s.backgroundColor, s.color, s.stroke, s.strokeWidth, s.fill].join()
		}
		const group = [e, ...all('*', e).slice(0, 20)]
		const lit = group.map(marks).join()
		const r = e.getBoundingClientRect()
		const l = Math.max(r.left, 0), t = Math.max(r.top, 0), right = Math.min(r.right, innerWidth), bottom = Math.min(r.bottom, innerHeight)
		const on = l < right && t < bottom && document.elementFromPoint((l + right) / 2, (t + bottom) / 2)
		const inside = !!on && (e.contains(on) || on.contains(e))
		e.blur()
		const off = group.map(marks).join()
		e.focus({focusVisible: true, preventScroll: true})
		return {Name: name(e) + ' ' + quote(e.textContent || e.getAttribute('aria-label') || ''), N: stops().indexOf(e), Marked: lit !== off, Inside: inside}
	}

	const open = () => all('details:not([open])').map(d => { d.open = true }).length
	const shapes = {sideways, links, contrast, cut, overlap, scrollers, headings}
	const faults = () => Object.entries(shapes).flatMap(([kind, f]) => f().map(s => kind + ': ' + s))
	return {faults, open, stops: () => stops().map(e => name(e) + ' ' + quote(e.textContent)), focus}
})()
