{{- $pages := slice -}}
{{- range site.Pages -}}
  {{- $pages = $pages | append (dict "url" (strings.TrimPrefix (urls.Parse site.BaseURL).Path .RelPermalink) "title" (partial "title.html" .) "text" (.Plain | htmlUnescape)) -}}
{{- end -}}
const pages = {{ $pages | jsonify (dict "noHTMLEscape" true) }};
