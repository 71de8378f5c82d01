// Package diags holds what all tools of infiniband-diags have in common: the
// shared options, the configuration file, the usage text, the wording of fatal
// errors and the exit codes. A drop-in command declares a Tool and leaves its
// command line to it.
package diags
