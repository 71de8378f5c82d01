// Package page writes a fabric as one page of HTML that can be searched, moved and
// zoomed: by name, GUID or LID, with details of nodes and of both ends of links, and
// steps from pods to switches to hosts. The page loads nothing: its policy allows its
// own script and style, by their hashes, and nothing else. Texts of the fabric are
// data in it, never markup.
package page
