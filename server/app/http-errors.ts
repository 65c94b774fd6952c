import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import type { ErrorCode } from '#contracts/errors.ts'
import { isDatabaseUnavailable } from '#server/db/connect.ts'
import { AppError } from '#server/kernel/errors.ts'

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_input',
  FST_ERR_BAD_URL: 'not_found',
}

/** SQLSTATEs of a reachable PostgreSQL server that mean "retry later": timeouts, deadlocks, conflicts or insufficient resources. */
const busyDatabase = /^(57014|55P03|53\d{3}|25P03|40001|40P01)$/
/** A value that PostgreSQL can't store, such as a number out of range. A schema should have refused it. */
const unfitData = /^22[0-9A-Z]{3}$/

function answerOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode } = error as Partial<FastifyError>
  if (code in fastifyCodes) {
    const known = fastifyCodes[code] as ErrorCode
    const isBadBody = known === 'invalid_input'
    return new AppError(known, { cause: error, ...(isBadBody ? { message: 'The body is not valid JSON.' } : {}) })
  }
  if (busyDatabase.test(code) || isDatabaseUnavailable(error)) {
    return new AppError('unavailable', { cause: error, retryAfterSeconds: 2 })
  }
  if (unfitData.test(code)) return new AppError('invalid_input', { cause: error })
  if (statusCode === 400) return new AppError('invalid_input', { cause: error })
  return new AppError('internal', { cause: error })
}

/** Like `answerOf`, but also logs what an operator should look at. */
export function toAppError(request: FastifyRequest, thrown: unknown): AppError {
  const error = answerOf(thrown)
  const { cause, code } = error
  if (error.status >= 500) request.log.error({ err: cause ?? error, code }, 'request failed')
  // The error's message isn't logged, because it may contain the value.
  else if (cause instanceof pg.DatabaseError)
    request.log.warn({ sqlState: cause.code, column: cause.column }, 'the database rejected a value')
  return error
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A static file doesn't have the requested range. The header already has the length.
    if (error.statusCode === 416) return reply.status(416).send()
    return sendError(request, reply, toAppError(request, error))
  })
}

type SendError = (request: FastifyRequest, reply: FastifyReply, error: AppError) => FastifyReply

export const sendError: SendError = (request, reply, error) =>
  withError(request, reply, error).type('application/json; charset=utf-8').send(JSON.stringify(error.toAnswer()))

export const withError: SendError = (request, reply, error) => {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  return reply.status(error.status).header('cache-control', 'no-store').header('x-request-id', request.id)
}
