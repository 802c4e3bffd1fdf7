// Package scores shows how pawl does on a corpus of real commits, as text and Markdown.
package scores
