package findings

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
)

// The part of SARIF 2.1.0 that pawl writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		HelpURI          string    `json:"helpUri"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Rank         *float64          `json:"rank,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

const rulesURL = "https://github.com/pawl-dev/pawl/blob/main/docs/rules.md"

// SARIF writes findings as a SARIF 2.1.0 log, as code scanning services read
// it. A result's rank is its share of the profile in per cent.
func SARIF(w io.Writer, f *model.Findings) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "pawl", Version: f.Tool, InformationURI: "https://github.com/pawl-dev/pawl", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	index := map[string]int{}
	for _, x := range f.Findings {
		if _, ok := index[x.Rule]; !ok {
			index[x.Rule] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{x.Rule, sarifText{x.Title}, rulesURL + "#" + x.Rule})
		}
		run.Results = append(run.Results, sarifOf(x, index[x.Rule]))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	err := enc.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
	if err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func sarifOf(x model.Finding, rule int) sarifResult {
	text := x.Message
	for _, t := range findingRemarks(x) {
		text += "\n" + t
	}
	at := sarifArtifact{URI: filepath.ToSlash(x.At.File)}
	if !filepath.IsAbs(x.At.File) {
		at.URIBaseID = "%SRCROOT%"
	}
	r := sarifResult{
		RuleID: x.Rule, RuleIndex: rule, Level: "warning", Message: sarifText{text},
		Locations:    []sarifLocation{{sarifPhysical{at, sarifRegion{x.At.Line, x.At.Col, x.End.Line, x.End.Col}}}},
		Fingerprints: map[string]string{"pawl/v1": x.Rule + " " + x.Pkg + " " + x.Hash},
	}
	if x.Tier != "always" {
		r.Level = "note"
	}
	if x.Share > 0 {
		rank := 100 * x.Share
		r.Rank = &rank
	}
	return r
}
