// Package config is the configuration of the resident service: what its file may say,
// with defaults, and the reading of that file. Nothing here opens anything but the files
// that a configuration names: of tokens, names, thresholds.
package config
