package status

// HTTP status codes that the rules of the API use. They are here because net/http is too large for the browser's programs.
const (
	CodeOK                   = 200
	CodeCreated              = 201
	CodeBadRequest           = 400
	CodeUnauthorized         = 401
	CodeForbidden            = 403
	CodeNotFound             = 404
	CodeMethodNotAllowed     = 405
	CodeNotAcceptable        = 406
	CodeConflict             = 409
	CodeGone                 = 410
	CodeTooLarge             = 413
	CodeUnsupportedMediaType = 415
	CodeUnprocessableEntity  = 422
	CodeTooManyRequests      = 429
	CodeInternalError        = 500
	CodeBadGateway           = 502
	CodeUnavailable          = 503
	CodeGatewayTimeout       = 504
)
