import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/** Several times the depth that any call needs. */
export const maxJsonDepth = 32

/** Maximum body size for visitors' calls, in bytes. */
export const maxPublicBodyBytes = 64 * 1024

const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map((sign) => sign.charCodeAt(0))

/**
 * Refuses deeply nested JSON before it is parsed, because processing it costs far more than its size suggests.
 * @throws AppError invalid_input
 */
export function requireShallow(json: Uint8Array): void {
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (byte === quote) {
      for (i++; i < json.length && json[i] !== quote; i++) if (json[i] === backslash) i++
    } else if (byte === openList || byte === openObject) {
      if (++depth > maxJsonDepth) {
        throw new AppError('invalid_input', { message: `The body is nested too deeply. The limit is ${maxJsonDepth} levels.` })
      }
    } else if (byte === closeList || byte === closeObject) depth--
  }
}

const waits = new WeakMap<FastifyRequest, () => Promise<void>>()

/** Makes a request wait after its body has arrived and before it is parsed. */
export const waitBeforeParsing = (request: FastifyRequest, wait: () => Promise<void>): void => {
  waits.set(request, wait)
}

export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    try {
      requireShallow(bytes)
    } catch (error) {
      return done(error as AppError)
    }
    const read = () => void parse(request, bytes.toString(), done)
    const wait = waits.get(request)
    if (wait) void wait().then(read, done)
    else read()
  })
}
