import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contracts/errors.ts'
import { AppError } from '../kernel/errors.ts'

/** Fastify's own refusals, in the error form of the API. */
const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_input',
  FST_ERR_BAD_URL: 'not_found',
}

/** PostgreSQL's states for "try again later": timeouts, a full or stopping server, a lost connection. */
const busyDatabase = /^(57014|55P03|53\d{3}|57P0[123]|08\d{3}|25P03|40001|40P01)$/
const lostConnection = /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|Connection terminated|timeout exceeded when trying to connect/

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', message = '', statusCode } = error as Partial<FastifyError>
  if (code in fastifyCodes) {
    const known = fastifyCodes[code] as ErrorCode
    const isBadBody = known === 'invalid_input'
    return new AppError(known, { cause: error, ...(isBadBody ? { message: 'The body is not valid JSON.' } : {}) })
  }
  if (busyDatabase.test(code) || lostConnection.test(`${code} ${message}`)) {
    return new AppError('unavailable', { cause: error, retryAfterSeconds: 2 })
  }
  if (statusCode === 400) return new AppError('invalid_input', { cause: error })
  return new AppError('internal', { cause: error })
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const appError = toAppError(error)
    if (appError.status >= 500) {
      request.log.error({ err: appError.cause ?? appError, code: appError.code }, 'request failed')
    }
    return sendError(request, reply, appError)
  })
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  return reply
    .status(error.status)
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(error.toAnswer()))
}
