// Package getopt parses command lines as getopt_long of the GNU C library
// does: clusters of short options, arguments joined or apart, long options
// abbreviated to any unambiguous prefix, operands anywhere, "--" ends options.
// Its error messages are glibc's too.
//
// A program's options are declared once, in a table; the usage text, the
// manual page and the completions come from the same table.
package getopt
