// Package audits shows the settings that pawl tune judged: as
// text, as SARIF and as a page.
package audits
