import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contracts/index.ts'
import { admit } from '../kernel/admit.ts'
import { constantAnswer } from '../kernel/constant-answer.ts'
import type { Context } from '../kernel/context.ts'
import { openApiDocument } from './openapi.ts'

const documentPath = '/api/openapi.json'
const docsPath = '/api/docs'
const cacheControl = 'public, max-age=300'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** `/api/openapi.json` for programs and `/api/docs` for people: a megabyte each, which is made and compressed once. */
export async function addApiDocs(app: FastifyInstance, ctx: Pick<Context, 'brand' | 'rateLimiter'>): Promise<void> {
  const { brand } = ctx
  const make = () => JSON.stringify(openApiDocument(endpoints, brand))
  const document = constantAnswer(ctx, { type: 'application/json; charset=utf-8', cacheControl, make })
  app.get(documentPath, { compress: false }, document)

  const folder = path.join(path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  const files = new Map<string, ReturnType<typeof constantAnswer>>(
    fs.readdirSync(folder).flatMap((name) => {
      const type = types[path.extname(name)]
      const answer = type && constantAnswer(ctx, { type, cacheControl, make: () => fs.readFileSync(path.join(folder, name)) })
      return answer ? [[`${docsPath}/static/${name}`, answer]] : []
    }),
  )
  await app.register(async (scope) => {
    // The plugin would write the whole document, and compress each file, for every request.
    scope.addHook('onRequest', async (request, reply) => {
      const [asked = ''] = request.url.split('?')
      const file = files.get(asked)
      if (file) return file(request, reply)
      if (asked === `${docsPath}/json` || asked === `${docsPath}/yaml`) return reply.redirect(documentPath)
      await admit(ctx, request)
      return undefined
    })
    await scope.register(swagger, {
      mode: 'static',
      specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
    })
    await scope.register(swaggerUi, { routePrefix: docsPath, theme: { title: `${brand.name} API` } })
  })
}
