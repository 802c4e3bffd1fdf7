document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "";
document.addEventListener("DOMContentLoaded", () => {
	const wide = matchMedia("(min-width: 60rem)");
	document.getElementById("menu").open = wide.matches;
	document.getElementById("theme").onclick = () => {
		const root = document.documentElement;
		const dark = getComputedStyle(root).colorScheme === "dark" ||
			(root.dataset.theme === "" && matchMedia("(prefers-color-scheme: dark)").matches);
		root.dataset.theme = dark ? "light" : "dark";
		localStorage.setItem("theme", root.dataset.theme);
	};
});
