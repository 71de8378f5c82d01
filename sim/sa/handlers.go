package sa

import (
	"sync"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	adm "github.com/ibscope/ibscope/mad/sa"
)

// handler is what can be done with an attribute; nil for what cannot.
type handler struct {
	id     mad.AttrID
	get    func(*query) // also of tables
	set    func(*query)
	remove func(*query)
	multi  func(*query)
	single bool // there is no table of it
}

// handlers are the attributes that are served.
var handlers = sync.OnceValue(func() map[mad.AttrID]handler {
	list := []handler{
		{id: adm.AttrClassPortInfo, get: (*query).classPortInfo, single: true},
		{id: adm.AttrNodeRecord, get: (*query).nodes},
		{id: adm.AttrPortInfoRecord, get: (*query).portInfos},
		{id: adm.AttrSLtoVLMappingTableRecord, get: (*query).slToVLs},
		{id: adm.AttrSwitchInfoRecord, get: (*query).switchInfos},
		{id: adm.AttrLinearForwardingTableRecord, get: (*query).linearTables},
		{id: adm.AttrMulticastForwardingTableRecord, get: (*query).multicastTables},
		{id: adm.AttrSMInfoRecord, get: (*query).smInfos},
		{id: adm.AttrLinkRecord, get: (*query).links},
		{id: adm.AttrGUIDInfoRecord, get: (*query).guidInfos, set: (*query).setAliases, remove: (*query).removeAliases},
		{id: adm.AttrPKeyTableRecord, get: (*query).pkeyTables},
		{id: adm.AttrVLArbitrationTableRecord, get: (*query).vlArbitrations},
		{id: adm.AttrPathRecord, get: (*query).paths},
		{id: adm.AttrMultiPathRecord, multi: (*query).multiPaths},
		{id: adm.AttrServiceRecord, get: (*query).services, set: (*query).register, remove: (*query).unregister},
		{id: adm.AttrMCMemberRecord, get: (*query).members, set: (*query).join, remove: (*query).leave},
		{id: adm.AttrInformInfo, set: (*query).subscribe},
		{id: adm.AttrInformInfoRecord, get: (*query).subscriptions},
	}
	m := map[mad.AttrID]handler{}
	for _, h := range list {
		m[h.id] = h
	}
	return m
})

func (h handler) byMethod(m mad.Method) func(*query) {
	switch m {
	case mad.MethodGet:
		return h.get
	case mad.MethodGetTable:
		if !h.single {
			return h.get
		}
	case mad.MethodSet:
		return h.set
	case mad.MethodDelete:
		return h.remove
	case mad.MethodGetMulti:
		return h.multi
	}
	return nil
}

// knowsMethod reports whether a method exists for other attributes.
func (h handler) knowsMethod(m mad.Method) bool {
	switch m {
	case mad.MethodGet, mad.MethodGetTable, mad.MethodSet, mad.MethodDelete, mad.MethodGetMulti:
		return true
	}
	return false
}

func (h handler) attribute() field.Attribute {
	for _, a := range adm.Attributes() {
		if a.ID == h.id {
			return a
		}
	}
	return field.Attribute{}
}
