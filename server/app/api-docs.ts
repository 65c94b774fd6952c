import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../contracts/brand.ts'
import { endpoints } from '../../contracts/index.ts'
import { openApiDocument } from './openapi.ts'

/** `/api/openapi.json` for programs and `/api/docs` for people. */
export async function addApiDocs(app: FastifyInstance, brand: Brand): Promise<void> {
  const document = openApiDocument(endpoints, brand)
  app.get('/api/openapi.json', async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(document))
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: `${brand.name} API` },
  })
}
