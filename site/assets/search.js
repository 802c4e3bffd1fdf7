// Search over all pages, in the browser: every word has to be there, and in the title it counts more.
{
	const root = new URL(".", document.querySelector("script[src*='search-index']").src);
	const query = document.getElementById("query");
	const found = document.getElementById("found");
	const lower = pages.map((p) => ({ ...p, title: p.title.toLowerCase(), text: p.text.toLowerCase() }));

	const score = (page, words) => {
		let sum = 0;
		for (const word of words) {
			const times = page.text.split(word).length - 1;
			const title = page.title === word ? 1000 : page.title.includes(word) ? 100 : 0;
			if (times + title === 0) return 0;
			sum += title + Math.min(times, 20);
		}
		return sum;
	};

	const excerpt = (text, word) => {
		const at = Math.max(0, text.toLowerCase().indexOf(word));
		return text.slice(Math.max(0, at - 40), at + 80).replace(/\s+/g, " ");
	};

	const show = () => {
		const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
		const hits = words.length === 0 ? [] : lower
			.map((page, i) => [score(page, words), pages[i]])
			.filter(([sum]) => sum > 0)
			.sort((a, b) => b[0] - a[0])
			.slice(0, 12);
		found.replaceChildren(...hits.map(([, page]) => {
			const a = document.createElement("a");
			a.href = new URL(page.url, root);
			const title = document.createElement("b");
			title.textContent = page.title;
			a.append(title, " ", excerpt(page.text, words[0]));
			const item = document.createElement("li");
			item.append(a);
			return item;
		}));
		if (words.length > 0 && hits.length === 0) found.textContent = "no page has all these words";
		found.hidden = words.length === 0;
	};

	query.addEventListener("input", show);
	query.addEventListener("keydown", (e) => {
		if (e.key === "Enter") found.querySelector("a")?.click();
		if (e.key === "Escape") { query.value = ""; show(); }
	});
	document.addEventListener("keydown", (e) => {
		if (e.key === "/" && document.activeElement !== query) { e.preventDefault(); query.focus(); }
	});
	query.value = new URLSearchParams(location.search).get("q") ?? "";
	if (query.value) show();
}
