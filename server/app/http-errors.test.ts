import Fastify from 'fastify'
import pg from 'pg'
import { expect, it } from 'vitest'
import { answerErrors } from './http-errors.ts'

const databaseError = (code: string) => Object.assign(new pg.DatabaseError(`what went wrong (${code})`, 0, 'error'), { code })
const failure = (message: string, code?: string) => Object.assign(new Error(message), { code })

it.each([
  ['a read-only server after a failover', databaseError('25006'), 503],
  ['a connection that PgBouncer has lost', databaseError('08P01'), 503],
  ['a closed connection', failure('Client has encountered a connection error and is not queryable'), 503],
  ['a broken socket', failure('connect ENOENT /data/pg/.s.PGSQL.5432', 'ENOENT'), 503],
  ['a refused connection', failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'), 503],
  ['a host without a route', failure('connect EHOSTUNREACH 10.0.0.5:5432', 'EHOSTUNREACH'), 503],
  ['a name that does not resolve', failure('getaddrinfo ENOTFOUND primary.db', 'ENOTFOUND'), 503],
  ['a name server that does not answer', failure('getaddrinfo EAI_AGAIN primary.db', 'EAI_AGAIN'), 503],
  ['a canceled statement', databaseError('57014'), 503],
  ['a number that is out of range', databaseError('22003'), 400],
  ['text outside the encoding', databaseError('22021'), 400],
  ['a missing file', failure("ENOENT: no such file or directory, open 'x'", 'ENOENT'), 500],
  ['a broken constraint', databaseError('23505'), 500],
])('responds to %s with a fitting status and without its details', async (_what, error, status) => {
  const app = Fastify()
  answerErrors(app)
  app.get('/', async () => {
    throw error
  })
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, status === 503 ? '2' : undefined])
  expect(answer.body).not.toContain('went wrong (')
})
