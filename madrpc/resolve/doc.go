// Package resolve finds the target of a request from what people name it by: the
// own port, the subnet manager, a port GUID, a LID with a directed route behind
// it. LIDs and directed routes alone need no request: mad.ByLID, mad.ByPath.
package resolve
