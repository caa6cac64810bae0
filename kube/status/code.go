package status

// HTTP status codes that the API's rules speak of. They stand here because net/http is a large thing for a browser's
// program to link for the sake of some numbers.
const (
	CodeOK                   = 200
	CodeBadRequest           = 400
	CodeUnauthorized         = 401
	CodeForbidden            = 403
	CodeNotFound             = 404
	CodeMethodNotAllowed     = 405
	CodeNotAcceptable        = 406
	CodeConflict             = 409
	CodeGone                 = 410
	CodeUnsupportedMediaType = 415
	CodeUnprocessableEntity  = 422
	CodeTooManyRequests      = 429
	CodeInternalError        = 500
	CodeBadGateway           = 502
)
