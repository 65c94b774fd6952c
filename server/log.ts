import pino from 'pino'
import type { Config } from './config.ts'

export type Logger = pino.Logger

/**
 * Fields that are never logged. The comparison ignores case, dashes and underscores. `html` and `text` contain an email's sign-in links.
 */
const secretField =
  /^((set)?cookie|authorization|(new|current|old)?password|(access|refresh|id|session|csrf)?token|(client|session)?secret|databaseurl|smtpurl|html|text)$/
const mayBeSecret = new Map<string, boolean>()

function isSecret(field: string): boolean {
  let known = mayBeSecret.get(field)
  if (known === undefined) {
    known = secretField.test(field.replace(/[-_]/g, '').toLowerCase())
    if (mayBeSecret.size < 1000) mayBeSecret.set(field, known)
  }
  return known
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Copies a value without secrets. (pino's own redaction of the same fields is 30 times slower per line.) */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth > 5 ? '[deep]' : value.map((item) => withoutSecrets(item, depth + 1))
  if (!isPlain(value)) return value
  if (depth > 5) return '[deep]'
  const copy: Record<string, unknown> = {}
  for (const key in value) copy[key] = isSecret(key) ? '[redacted]' : withoutSecrets(value[key], depth + 1)
  return copy
}

type LoggedError = { type: string; message: string; stack?: string; code?: unknown; constraint?: unknown; cause?: LoggedError }

/** Logs only some fields of errors, because PostgreSQL's `detail` quotes the row and a mailer's errors quote the message. */
function errorFields(error: unknown, depth = 0): LoggedError | unknown {
  if (!(error instanceof Error)) return withoutSecrets(error)
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: errorFields(error.cause, depth + 1) }),
  }
}

/**
 * Structured logs: one JSON object per line on standard output, in every mode. To read them, use a formatter:
 * `npm start | npx pino-pretty`. The few lines meant for people, at startup and shutdown, are plain text. `fields` adds fields to each
 * line, such as the trace ID.
 */
export function createLog(config: Pick<Config, 'logLevel'>, destination?: pino.DestinationStream, fields?: () => object): Logger {
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      ...(fields ? { mixin: fields } : {}),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields) as Record<string, unknown>,
      },
      serializers: { err: (error) => errorFields(error) },
    },
    // Synchronous, so no line is lost if the process is killed.
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}
