import * as z from 'zod/mini'
import type { Brand } from '#contracts/brand.ts'
import { type WebhookEvent, webhookEvents } from '#contracts/choices.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import { ErrorAnswer } from '#contracts/errors.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'

type Json = { [key: string]: unknown }

/** Caches schemas, because many calls share them and a test process builds the document for each of its servers. */
const described = { input: new WeakMap<z.ZodMiniType, Json>(), output: new WeakMap<z.ZodMiniType, Json>() }

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const known = described[io].get(schema)
  if (known) return known
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as Json
  described[io].set(schema, rest)
  return rest
}

const forPeople = {
  title: 'API',
  description:
    'Sign-in uses a session cookie. Lists return a JSON array; the next page is in the Link header (RFC 8288). ' +
    "Writes are accepted as JSON and only from the site's own origin. An Idempotency-Key makes a POST that creates something safe to retry.",
}
const forKeys = {
  title: 'Integrations API',
  description:
    'For points of sale. Create an API key in the dashboard under Menu, Connections, and send it as “Authorization: Bearer …” from a server, never from a web page. ' +
    "Every call applies to the key's business and is safe to repeat. Lists return a JSON array; the next page is in the Link header (RFC 8288).",
}

export const integrationsDocument = (endpoints: readonly Endpoint[], brand: Brand): Json => ({
  ...openApiDocument(
    endpoints.filter(({ access }) => access === 'key'),
    brand,
    forKeys,
  ),
  webhooks: Object.fromEntries(webhookEvents.map((event) => [event, { post: webhookOperation(event) }])),
})

function webhookOperation(event: WebhookEvent): Json {
  const text = { type: 'string' }
  const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: text })
  const data = { type: 'object', required: ['businessId', 'url'], properties: { businessId: text, url: text }, additionalProperties: text }
  const properties = { type: { const: event }, timestamp: { type: 'string', format: 'date-time' }, data }
  const schema = { type: 'object', required: Object.keys(properties), properties }
  return {
    summary: `Receive the event ${event}`,
    tags: ['Webhooks'],
    parameters: [
      header('webhook-id', 'The same for every attempt.'),
      header('webhook-timestamp', 'Seconds since 1970.'),
      header(
        'webhook-signature',
        'Signs the call as the Standard Webhooks specification defines. For a day after a rotation, the replaced secrets sign it, too; a space separates the signatures.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Delivered' }, '410': { description: 'Stops the webhook' } },
  }
}

export function openApiDocument(endpoints: readonly Endpoint[], brand: Brand, { title, description } = forPeople): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${brand.name} ${title}`, version: '1', description },
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(ErrorAnswer, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: `${brand.slug}.session_token` },
        key: { type: 'http', scheme: 'bearer', description: 'An API key of a business.' },
      },
    },
  }
}

/** The first sentence names the call in lists. The rest is shown with its details. */
function describedBy(text: string): Json {
  const [, summary = text, description] = /^(.+?)\.(?: (.+))?$/s.exec(text) ?? []
  return { summary, ...(description ? { description } : {}) }
}

function operation(endpoint: Endpoint): Json {
  const error = { description: 'An error', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/^\/api/, '').replace(/[^A-Za-z]+(\w)/g, (_, c: string) => c.toUpperCase())}`,
    ...describedBy(endpoint.summary),
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? {} : { security: [endpoint.access === 'key' ? { key: [] } : { session: [] }] }),
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.idempotent
        ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } }]
        : []),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } } } }
      : {}),
    ...(endpoint.receives === 'bytes'
      ? {
          requestBody: {
            required: true,
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary', maxLength: uploadChunkBytes } } },
          },
        }
      : {}),
    responses: {
      [endpoint.status]: endpoint.response
        ? {
            description: 'The response',
            content: { 'application/json': { schema: jsonSchema(endpoint.response, 'output') } },
            ...(endpoint.paginated ? { headers: { Link: { description: 'The next page, rel="next"', schema: { type: 'string' } } } } : {}),
          }
        : { description: 'Done' },
      ...(endpoint.mayContinue && endpoint.response
        ? {
            202: {
              description: 'The work continues in the background. Poll the URL in the Location header.',
              content: { 'application/json': { schema: jsonSchema(endpoint.response, 'output') } },
            },
          }
        : {}),
      default: error,
    },
  }
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof property.description === 'string' ? { description: property.description } : {}),
    schema: property,
  }))
}
