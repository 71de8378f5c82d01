package api

type API struct{}
type request struct{}

func (a *API) fabrics(*request) error  { return nil }
func (a *API) fabric(*request) error   { return nil }
func (a *API) nodes(*request) error    { return nil }
func (a *API) node(*request) error     { return nil }
func (a *API) ports(*request) error    { return nil }
func (a *API) links(*request) error    { return nil }
func (a *API) problems(*request) error { return nil }
func (a *API) health(*request) error   { return nil }
func (a *API) trace(*request) error    { return nil }
func (a *API) diff(*request) error     { return nil }
func (a *API) rates(*request) error    { return nil }
func (a *API) snapshot(*request) error { return nil }
func (a *API) events(*request) error   { return nil }
func (a *API) stream(*request) error   { return nil }
func (a *API) openapi(*request) error  { return nil }
